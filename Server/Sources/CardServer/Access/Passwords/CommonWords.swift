/// Words that passwords are commonly made of: names, seasons, teams, brands, keys in a row, and what others call a
/// password.
///
/// Put together by hand from what is generally known of leaked passwords; with numbers, signs and letters in place of
/// each other around them, as ``PasswordStrength`` reads them, they stand for millions of passwords.
enum CommonWords {
    static let all = Set([list, passwords].flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { Array($0.utf8) })
    static let longest = all.map(\.count).max() ?? 0

    private static let list = """
        aaa aaron abc abcd abcde abcdef access account adam admin administrator administrators africa again agent
        agent007 airforce aishiteru alex alexander alice allah allow alpha always am amanda amazon amber america
        american amor amore amy and andrea andrew android andy angel angela angels anna anthony anything api apollo app
        apple apples april are area51 army arsenal arthur asdf ashley asia ass asshole atomic audi august austin
        australia autumn avengers azerty babe baby babyboy babygirl backup bacon bailey bambi banana bank banking
        barbara barbie barcelona baseball basketball bass batman bayern beach bear beatles beer beijing bella ben
        benjamin benvenuto benz berlin best bestfriend beta better betty bff bible bienvenido bienvenue big bigdick bill
        bitch black blank blessed blink182 blizzard blue blues bmw bob bomb bond bond007 bonjour boobs boston boy boys
        brandon brasil brazil brenda brian brittany brother brown buddha buddy bulls bunny burger business buster butter
        butterfly bvb california camaro canada candy captain carl carol carolyn cash cat catherine catwoman celtics
        champion champions change changeit changeme charles charlie cheese chelsea cherry cheryl chevy chicago chicken
        child children china chocolate chris christ christina christine christopher church cisco clara class cloud cobra
        cock code coder coffee coke cola cold college color colour commander company computer contrasena cookie cookies
        cool correcthorsebatterystaple corvette cosmos cowboys credit cricket crystal cupcake cutie cynthia dad daddy
        daisy dakota dallas dan dance dancer daniel danielle darling data database daughter dave david davidson debian
        deborah debra december default dell delta demo dennis desktop deutschland dev develop developer dezember diamond
        diamonds diane dick dienstag disco doctor dodgers dog doggie doggy dollar dollars dolphin donald donna
        donnerstag dorothy download dragon dragonball dream dreamer dreams drums ducati duke dvorak eagle eagles earth
        easy edc edward eight elias elizabeth elmo email emily eminem emma empty energy england english enter eric
        espana ethan euro europe eva evelyn everything extreme facebook faith falcon fall false family fast father
        februar february felix ferrari finn fire first five flash florida flower flowers football for force ford
        fordf150 forest forever forget forgot fortnite four france frank freedom freitag french friday friend friends
        frodo from fruehling fuck fucker fucking fuckyou fun funny fussball futbol galaxy game gamer games gaming gamma
        gandalf garden garfield gary geheim general george german germany ghost giants ginger girl girls gloria glory
        god goku gold golden golf good google grace grandma grandpa gray great green gregory grey guest guitar hack
        hacker hacking hallo hamburger hamster hannah happiness happy hard hardware harley harold harry harrypotter
        heather heaven helen hell hello henry her herbst hero heroes heslo high him hobbit hockey hogwarts hola holland
        holy honda honey hope horse hot hulk hunter hurricane husband ice ichliebedich ilove iloveu iloveyou incorrect
        india instagram intel inter internet into invalid iphone ironman is island istanbul italia italy itsme jack
        jacob jacqueline james jamesbond janet januar january japan jasmine jason jazz jedi jeep jeffrey jennifer jeremy
        jerry jessica jesus jetaime jim joan job joe john joker jonas jonathan jordan jose joseph josh joshua joyce
        judith juli julia julie july june juni jupiter justin juventus karen katherine kathleen kathryn keith kelly
        kevin key keyboard keys kids killer king kitten kitty knight kyle ladies lady ladybug lake lakers lamborghini
        laptop lara larry last laura lauren lawyer lea legend lemon lena leon letme letmein liam liberty liebe lightning
        lily linda linux lion lisa little liverpool logan login logon london long lord losenord love loveme lover loves
        loveyou low lozinka lucas luck lucky lucy luigi luis lukas macintosh madison madrid maerz maggie magic mail
        mailbox major mama man manager manchester mango march margaret maria marie marine mario mark mars martha marvel
        mary mason master matrix matt matthew max may me mega megan melissa melon men mercedes mercury metal metallica
        mexico mia michael michelle mickey microsoft mike milan military minecraft minnie mittwoch molly mom mommy
        monday money monitor monkey montag moon morgan moscow motdepasse mother mountain mouse music mustang mustang67
        my mylove myself mysql mystic naked nancy naruto natalie nathan navy ncc1701 nemo neo neptune network never new
        newyork nicholas nick nicole nina nine ninja nintendo nirvana nitro no noah nobody nokia none noone nora norge
        norway not nothing nova november nuclear null nurse nvidia ocean october office offline oktober old oliver
        olivia omega one online open opensesame operator oracle orange oscar our over p455w0rd packers pamela panda papa
        paris parola pass passcode passphrase passwd password passwort pasw0rd patricia patrick patriot patriots paul
        peace peach peanut penguin people pepper pepsi person peter phoenix piano pikachu pilot pink pizza placard
        platinum player playstation pluto pokemon poland police polska porn porsche portugal potato potter power
        powerful prince princess printer private prod production program programmer pumpkin punk puppy purple pussy qaz
        queen qwerty qwertz rabbit rachel raiders rain rainbow rambo ranger rangers rapper raymond real realmadrid
        rebecca red redsox remember reminder required rfv richard right river rob robert robin roblox rock rocket rocky
        roger ronald root rose roses rugby russia rusty ryan sabrina sadie safe saint salasana sam samantha samstag
        samsung samuel samurai sandra sara sarah sarang sasuke saturday saturn school scorpion scott sean season second
        secret secrets secure security senha september server sesame session seven sex sexy shadow shark sharon shirley
        shit short sigma signin silver simba sister site six skate skater sky skywalker slipknot slow slut small smile
        snake snoopy snow snowboard soccer soft software soldier somebody someone something sommer son sonic sonntag
        sophia sophie spain sparky spider spiderman spirit spring staging star stars startrek starwars steelers
        stephanie stephen steve steven storm strawberry strong student sugar summer sun sunday sunny sunshine super
        superman superuser support surfer surfing susan suzuki sverige sweden sweet sweetheart sweetie swimming sysadmin
        system taylor teacher team teamo temp tempo temporary ten tennis tequiero teresa test tester testing tetris
        texas tgb that the they third this thisis thomas thor three thunder thursday thx1138 tiffany tiger tigger tim
        timothy titanic token tokyo tom tomato tony tornado toyota tree trek trinity true trust trustno tuesday tulip
        turbo turkey turkiye turtle twitter two tyler ubuntu ujm ultra undefined unicorn united universe university
        unknown unlock upload usa user vader vanessa venus victoria violet viper vodka void volcano volleyball
        wachtwoord walter warrior wars was water web webmaster website wednesday welcome whatever whiskey white wife
        william willkommen wind windows wine winner winter with wolf wolves woman women wonder work wrong wsx xbox xyz
        yamaha yankees yellow yes yhn yoda york you young your yourself youtube zachary zelda zero zxcv
        """
}
