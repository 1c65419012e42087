import ContentCards
import ContentCardsTesting

// The cards that the scenarios are made of; `priority` gives their order.
extension ContentCard {
    static let order = fixture("order") {
        $0.title = "Your order is on its way"
        $0.description = "The parcel with your rain jacket arrives on Thursday between 9:00 and 12:00."
        $0.domain = "Track the parcel"
        $0.isPinned = true
        $0.isDismissible = false
    }

    static let dunes = fixture("dunes") {
        $0.kind = .captionedImage
        $0.priority = 5
        $0.title = "Three quiet weeks in the dunes"
        $0.description = "From May, twelve small houses by the sea can be booked by the week. Members choose first."
        $0.domain = "See the houses"
        $0.image = "https://images.example/dunes.png"
        $0.imageAlt = "Evening sun over dunes"
        $0.imageAspectRatio = 355.0 / 223.0
    }

    static let basil = fixture("basil") {
        $0.priority = 4
        $0.title = "Basil, back in stock"
        $0.description = "You asked us to tell you. There are forty pots, and they went in two days last time."
        $0.domain = "shop.example"
        $0.image = "https://images.example/leaf.png"
        $0.isViewed = true
    }

    static let shortBasil = fixture("short-basil") {
        $0.priority = 3
        $0.title = "Basil"
        $0.description = "Back in stock."
        $0.image = "https://images.example/leaf.png"
    }

    static let sale = fixture("sale") {
        $0.kind = .banner
        $0.priority = 3
        $0.image = "https://images.example/sale.png"
        $0.imageAspectRatio = 355.0 / 100.0
        $0.imageAlt = "Autumn sale"
    }

    static let sea = fixture("sea") {
        $0.kind = .banner
        $0.isPinned = true
        $0.isViewed = true
        $0.image = "https://images.example/sea.png"
        $0.imageAlt = "The sea"
    }

    static let hours = fixture("hours") {
        $0.priority = 2
        $0.title = "New opening hours"
        $0.description = "We are there for you until eight in the evening, on Saturdays until six."
        $0.isViewed = true
    }

    static let unread = fixture("unread") {
        $0.priority = 2
        $0.title = "Unread"
        $0.description = "The bar below stays while this card is on the screen for the first time."
    }

    static let read = fixture("read") {
        $0.priority = 1
        $0.title = "Read"
        $0.description = "This card was seen before."
        $0.isViewed = true
    }

    static let broken = fixture("broken") {
        $0.kind = .captionedImage
        $0.priority = 1
        $0.title = "An image that cannot be had"
        $0.description = "A tap on the arrow tries again."
        $0.image = "https://images.example/missing.png"
        $0.imageAspectRatio = 2.4
    }

    static let brokenClassic = fixture("broken-classic") {
        $0.title = "A small one"
        $0.description = "There is room for a small arrow too."
        $0.image = "https://images.example/missing.png"
    }

    static func page(_ address: String) -> ContentCard {
        fixture("page") {
            $0.priority = 1
            $0.title = "Read more"
            $0.description = "This card leads to a page inside the app."
            $0.urlString = address
            $0.opensInWebView = true
        }
    }

    static let unreachable = fixture("unreachable") {
        $0.title = "Unreachable"
        $0.description = "This one leads to a page that cannot be reached."
        $0.urlString = "http://127.0.0.1:1/"
        $0.opensInWebView = true
    }

    static let control = fixture("control") { $0.kind = .control }

    static let arabic: [ContentCard] = [
        fixture("pinned") {
            $0.isPinned = true
            $0.title = "طلبك في الطريق"
            $0.description = "تصل الحزمة يوم الخميس بين التاسعة والثانية عشرة."
            $0.domain = "تتبع الحزمة"
        },
        fixture("image") {
            $0.priority = 2
            $0.title = "الريحان متوفر من جديد"
            $0.description = "طلبت منا أن نخبرك. لدينا أربعون أصيصا، وقد نفدت في يومين في المرة الماضية."
            $0.image = "https://images.example/leaf.png"
        },
        fixture("dunes") {
            $0.kind = .captionedImage
            $0.priority = 1
            $0.isPinned = false
            $0.title = "ثلاثة أسابيع هادئة"
            $0.description = "اثنا عشر بيتا صغيرا على البحر."
            $0.image = "https://images.example/dunes.png"
            $0.imageAspectRatio = 355.0 / 223.0
        },
    ]

    static let hostile: [ContentCard] = [
        fixture("script") {
            $0.title = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
            $0.description = "</div><style>*{display:none}</style> & \" ' ` ${alert(1)}"
            $0.urlString = "javascript:document.title='owned'"
            $0.priority = 4
        },
        fixture("long") {
            $0.title = String(repeating: "Donaudampfschifffahrtsgesellschaft", count: 8)
            $0.description = String(repeating: "x", count: 400)
            $0.domain = String(repeating: "very-long-domain.", count: 9)
            $0.priority = 3
        },
        fixture("emoji") {
            $0.title = "👩‍👩‍👧‍👦🏳️‍🌈 emoji, 日本語、العربية"
            $0.description = "\u{202E}reversed by a mark\u{202C} and after it\nthree\n\nlines"
            $0.urlString = "data:text/html,<script>alert(1)</script>"
            $0.priority = 2
        },
        fixture("rtl") {
            $0.title = "مرحبا بالعالم"
            $0.description = "نص طويل بما يكفي ليمتد على أكثر من سطر واحد في البطاقة حتى نرى كيف يلتف."
            $0.priority = 1
        },
    ]

    static func numbered(_ number: Int) -> ContentCard {
        fixture("card-\(number)") {
            $0.title = "Card \(number + 1)"
            $0.description = String(repeating: "Some text that makes rows differ in height. ", count: 1 + number % 5)
            $0.priority = 1_000 - number
            if number % 10 == 3 {
                $0.kind = .captionedImage
                $0.image = "https://images.example/sea.png"
                $0.imageAspectRatio = 1
            }
        }
    }
}
