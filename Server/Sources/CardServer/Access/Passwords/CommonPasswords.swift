// The passwords below are of the frequency lists of zxcvbn 4.5.0 (https://pypi.org/project/zxcvbn/), which are those of
// https://github.com/dropbox/zxcvbn:
//
// MIT License
//
// Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.
// Copyright (c) 2016 Daniel Wolf
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
// documentation files (the "Software"), to deal in the Software without restriction, including without limitation
// the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
// to permit persons to whom the Software is furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all copies or substantial portions of
// the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
// THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
// CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
// IN THE SOFTWARE.

extension CommonWords {
    /// The passwords of the 30,000 most common ones that have 12 characters or more, and aren't made of words and keys
    /// in a row.
    ///
    /// Shorter ones are refused for their length. Each counts as one word, so that numbers behind it don't
    /// help; of those that repeat themselves, what is repeated is here.
    static let passwords = """
        010203040506 014702580369 01telemike01 112233445566 12qw34er56ty 1a2s3d4f5g6h 23176djivanfros 31217221027711
        32615948worms 41d8cd98f00b 4815162342lost 541233432442 59382113kevinp 89231243658s 89876065093rax a1s2d3f4g5h6
        admin18533362 amadeusptfcor an83546921an13 andrewjackie antananarivu auckland2010 avrillavigne bltynbabrfwbz
        boy4u2ownnyc bpgjldsgjldthnf chickenwing101 cjdthitycndj combat123654 contortionist corperfmonsy counterstrike
        devilmaycry4 digitalprodu dkflbvbhjdbx dkflbvbhjdyf domainlock2005 finalfantasy fkmnthyfnbdf fktrcfylhjdbx
        fktrcfylhjdf fktrcfylhjdyf flvbybcnhfnjh frederiksberg fucktheworld fynfyfyfhbde gfhjkm ghbdtn ghbdtnrfrltkf
        ghhh47hj7649 ghjcnj ghjcnjgbpltw ghjcnjgfhjkm ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt gjkysqgbpltw
        greenlantern gtnhjpfdjlcr hd764nw5d7e1vb1 hedimaptfcor iampurehaha2 iloveboobies ingodwetrust installdevic
        installsqlst iseedeadpeople justinbieber leavemealone lhbjkjubz2957704 lost4815162342 lytghjgtnhjdcr
        mailcreated5240 maprchem56458 massimiliano masterbaiting masterbating masturbation maurolarastefy mevefalkcakk
        minnesota_hp momsanaladventure morganstanley mortalkombat msorcloledbr needforspeed nemvxyheqdd5oqxyxyzi
        networkingpe newproject2004 nhecsyfujkjdt nhfdvfnjkju123 nhfycajhvths nightcrawler nondriversig olcrackmaster
        ontheoutside p030710p$e4o paraklast1974 passwordstandard polniypizdec0211 polniypizdec110211 pornographic
        ptybnxtvgbjy punksnotdead qwaszxerdfcv residentevil rfnthbyf1988 sanfrancisco saun24865709 schoolgirlie
        seemnemaailm sojdlg123aljg sonnenschein sonyericsson specialinsta stickdaddy77 stinkyfinger stratocaster
        systemofadown thecakeisalie ticketmaster vanyarespekt vfhbyf vfvfvskfhfve vladimirovna warhammer40k wazzkaprivet
        websolutions websolutionssu webuivalidat weihnachtsbau weihnachtsbaum whosyourdaddy z1x2c3v4b5n6m7 zcfvfzkexifz
        zqjphsyf6ctifgu
        """
}
