import Foundation
import WireJSON

/// Countries as people and backends name them: by a code of ISO 3166, or in English.
enum CountryName {
    /// Returns the two letters of ISO 3166 for a code of two or three letters or an English name, in any case, or `nil`
    /// where no country is called so.
    static func code(of text: String) -> String? {
        let withoutRemark = text.split(at: "(", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        // ISO 3166 sorts by what comes first: "Korea, Republic of".
        let parts = text.split(at: ",", maxSplits: 1).map(String.init)
        let turned = parts.count == 2 ? [parts[1] + " " + parts[0]] : []
        return ([text, String(withoutRemark)] + turned).lazy.compactMap { codes[folded($0)] }.first
    }

    /// The two letters of every code and name.
    private static let codes: [String: String] = {
        var codes: [String: String] = [:]
        for (name, code) in otherNames { codes[folded(name)] = code }
        let english = Locale(identifier: "en")
        for pair in threeAndTwoLetters.split(at: " ") {
            let code = String(pair.suffix(2))
            codes[folded(code)] = code
            codes[folded(String(pair.prefix(3)))] = code
            guard let name = english.localizedString(forRegionCode: code) else { continue }
            codes[folded(name)] = code
        }
        return codes
    }()

    /// A name without case, accents, spaces, punctuation and articles, with *and* in the place of *&*, and *St* in that
    /// of *Saint*.
    private static func folded(_ text: String) -> String {
        // characters: names of our list, with or without marks
        let plain = text.replacingOccurrences(of: "&", with: " and ")
            .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en"))
        // characters: the marks are away
        let words = plain.split { $0.isWhitespace || $0 == "-" }.map { word -> String in
            let letters = word.filter(\.isLetter)
            return letters == "saint" ? "st" : letters
        }
        return words.filter { $0 != "the" }.joined()
    }

    /// The names that people write who do not use the name that the Unicode Consortium lists.
    private static let otherNames = [
        "UK": "GB", "Great Britain": "GB", "England": "GB", "Scotland": "GB", "Wales": "GB", "Northern Ireland": "GB",
        "United States of America": "US", "America": "US", "Russian Federation": "RU", "Viet Nam": "VN",
        "Republic of Korea": "KR", "Korea": "KR", "Democratic People's Republic of Korea": "KP", "Burma": "MM",
        "Myanmar": "MM", "Holland": "NL", "Turkey": "TR", "Türkiye": "TR", "Czech Republic": "CZ", "Czechia": "CZ",
        "Macedonia": "MK", "Swaziland": "SZ", "Ivory Coast": "CI", "Cape Verde": "CV", "East Timor": "TL",
        "Hong Kong": "HK", "Macau": "MO", "Macao": "MO", "Palestine": "PS", "Vatican": "VA", "Holy See": "VA",
        "Republic of the Congo": "CG", "Congo": "CG", "Democratic Republic of the Congo": "CD", "Brunei": "BN",
        "Islamic Republic of Iran": "IR", "Lao PDR": "LA", "Laos": "LA", "Lao People's Democratic Republic": "LA",
        "Syrian Arab Republic": "SY", "Republic of Moldova": "MD", "United Republic of Tanzania": "TZ",
        "Taiwan, Province of China": "TW", "Plurinational State of Bolivia": "BO",
        "Bolivarian Republic of Venezuela": "VE", "Federated States of Micronesia": "FM", "State of Palestine": "PS",
        "Bonaire, Sint Eustatius and Saba": "BQ", "Saint Helena, Ascension and Tristan da Cunha": "SH",
        "Heard Island and McDonald Islands": "HM", "United States Minor Outlying Islands": "UM",
        "Virgin Islands of the United States": "VI", "China": "CN", "Brunei Darussalam": "BN", "Cabo Verde": "CV",
        "British Indian Ocean Territory": "IO", "Pitcairn": "PN", "South Georgia and the South Sandwich Islands": "GS",
    ]

    /// The codes of ISO 3166, of three and two letters.
    private static let threeAndTwoLetters = """
        ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ \
        BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB \
        BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM \
        CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER \
        ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN \
        GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU \
        IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG \
        KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO \
        MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR \
        MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR \
        NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA \
        REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM \
        SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK \
        TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC \
        VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW
        """
}
