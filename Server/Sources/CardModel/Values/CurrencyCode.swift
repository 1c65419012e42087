import WireJSON

/// Reads the codes of currencies.
public enum CurrencyCode {
    /// The codes of ISO 4217, with some that were withdrawn in the last years.
    ///
    /// Anybody can send a purchase, and each currency is counted apart: what is none of these isn't counted.
    private static let known = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD \
        CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP \
        GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW \
        KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV \
        MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK \
        SGD SHP SLE SLL SOS SRD SSP STD STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI \
        UYU UYW UZS VED VEF VES VND VUV WST XAD XAF XAG XAU XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR \
        ZMW ZWG ZWL
        """.split(at: " ").map(String.init)
    )

    /// Returns the code of a currency in upper case, or `nil` for what isn't one of ISO 4217.
    public static func reading(_ text: String) -> String? { letters(text).flatMap { known.contains($0) ? $0 : nil } }

    /// Returns three letters in upper case, or `nil` for what isn't three letters of ASCII.
    ///
    /// The letters are checked as they were written: `ſ` and `ß` become ASCII only in upper case.
    public static func letters(_ text: String) -> String? {
        guard text.utf8.count == 3, text.utf8.allSatisfy(Slug.isLetter) else { return nil }
        return text.uppercased()
    }
}
