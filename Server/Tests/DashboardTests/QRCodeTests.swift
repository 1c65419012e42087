import Testing

@testable import Dashboard

struct QRCodeTests {
    /// What another encoder (`qrcode` of Python, 8.2) makes of the same texts with the same masks: a row a number whose
    /// bit of the lowest value is the first column.
    private static let codes: [(text: String, rows: [UInt64])] = [
        (
            "hello",
            [
                0x1FC67F, 0x104641, 0x17525D, 0x174C5D, 0x17565D, 0x105941, 0x1FD57F, 0x1800, 0xA369, 0x184434,
                0x1633D8,
                0x1A0937, 0x154D6, 0x158B00, 0xEA47F, 0x1BD41, 0x11C85D, 0x1E8B5D, 0x15165D, 0x6641, 0xA9F7F,
            ]
        ),
        (
            "otpauth://totp/Placard:anna%40example.com?secret=ABCDEFGHIJKLMNOPQRSTUVWX&issuer=Placard",
            [
                0x1FD_7C58_ED7F, 0x104_45E3_E141, 0x175_BFE4_E85D, 0x174_8864_675D, 0x174_9907_0E5D, 0x104_E378_7241,
                0x1FD_5555_557F,
                0x1_7C56_2300, 0x1A4_A82E_1EED, 0x7A_F2BC_D106, 0xA1_61B1_DC51, 0x192_0641_D6B1, 0x168_AA49_206A,
                0x65_10A2_9F20,
                0x18E_F945_06E2, 0x19_5538_9D13, 0xB3_79AD_49DE, 0xB_8553_C138, 0xDE_5F33_38FD, 0xE8_6758_370F,
                0x137_164D_7454,
                0x19F_B2F6_B388, 0xC4_5384_E7D3, 0x101_DF19_1904, 0x1D1_BD5B_30CD, 0x1E1_FB5A_5F37, 0x124_C40B_40EA,
                0x1A0_1471_441C,
                0x3B_9A66_3FDB, 0x10B_3708_100E, 0x10_3DD1_E0F1, 0x49_E517_4D18, 0x1DF_C7BE_97EA, 0x1B1_3C18_4F00,
                0xB5_45E2_CB7F,
                0x11_376C_7D41, 0x11F_097C_C05D, 0xBA_B91C_815D, 0x1A9_D368_E75D, 0xB3_51B2_6641, 0x8B_CAF7_D57F,
            ]
        ),
        (
            String(repeating: "x", count: 150),
            [
                0x1_FD10_6B0D_F87F, 0x1_05C5_3E58_4841, 0x1_758F_94F1_835D, 0x1_74BA_C1AF_0D5D, 0x1_7430_6FE7_735D,
                0x1_0465_3C4C_9D41,
                0x1_FD55_5555_557F, 0x1CF_9447_B100, 0x7D1A_C7DC_2C7D, 0xE630_6B69_16B5, 0x1_B2E5_3E20_0D5A,
                0x1_19CF_9495_E337,
                0x4D1A_C1C5_C1CF, 0xE630_6B7A_0A99, 0x1_B2E5_3E35_5245, 0x1_19CF_9498_60A1, 0x4D1A_C1DA_FD64,
                0xE630_6B6A_5881,
                0x1_B2E5_3E27_20C5, 0x1_19CF_9494_5701, 0x4D1A_C1DA_42FB, 0xE630_6B6A_84AF, 0x1_BFE5_3FE7_A9FC,
                0x1_11CF_9472_2110,
                0x559A_C57C_9B52, 0xF130_6C4C_1516, 0x1_BF65_3FC6_DDF6, 0x1_134F_9652_3407, 0x589A_C4A1_8DD2,
                0xECB0_69A2_0725,
                0x1_A765_3B42_ACCD, 0x134F_9654_E9AE, 0x1_D89A_C4BD_0E4A, 0xECB0_69A8_953D, 0x1_A765_3B43_094C,
                0x1_134F_9650_1C95,
                0x589A_C4B9_C5F7, 0xECB0_69AC_AE9B, 0x1_A765_3B41_85E2, 0x1_134F_9657_B58E, 0x5F9A_C7FE_C747,
                0xF1B0_6C6B_D100,
                0x1_B5E5_3D65_327F, 0x1_11CF_9477_0B41, 0x5F1A_C7DE_755D, 0x1_F930_6CCC_A75D, 0x2C65_39E7_D95D,
                0x1_06CF_9330_AC41,
                0x1_D39A_C61E_B57F,
            ]
        ),
        (
            String(repeating: "y", count: 213),
            [
                0x1FC_F555_551C_C17F, 0x104_B777_76D1_F041, 0x174_E222_22CA_175D, 0x174_AAAA_ABB2_CE5D,
                0x174_9555_7F04_DA5D,
                0x104_7777_46C1_F141, 0x1FD_5555_5555_557F, 0x1_5DDD_C72B_9800, 0x148_5555_7C4D_78C5,
                0x1CA_AAAA_ACF8_2410,
                0x149_0888_8D3F_BE78, 0xBD_5DDD_DB2A_3818, 0x94_5555_506D_594E, 0x1CA_AAAA_AC99_C42F,
                0x149_0888_8D5E_1E44,
                0xBD_5DDD_DB2A_9C28, 0x114_5555_5054_596E, 0x1CA_AAAA_ACB1_063B, 0x149_0888_8D33_1870,
                0xBD_5DDD_DB41_1AB4,
                0x94_5555_5068_48FE, 0x1CA_AAAA_ACCD_162B, 0x149_0888_8D3D_0AC0, 0xBD_5DDD_DB53_1634,
                0x94_5555_5072_53FE,
                0x1CA_AAAA_ACCB_04AB, 0x15F_0888_FF21_33F1, 0xB1_5DDD_C74F_1F16, 0x95_D555_5672_435D,
                0x1D1_AAAA_C6C9_4518,
                0x15F_0888_FD00_BBFF, 0xB7_DDDD_F72E_6E35, 0x82_D555_2653_C243, 0xCA_2AAA_ACE8_6482,
                0x54_0888_D140_7F57,
                0x37_DDDD_F74F_8B31, 0x182_D555_264B_0073, 0x1CA_2AAA_ACD8_8482, 0x154_0888_D14C_7F43,
                0xB7_DDDD_F721_0F01,
                0x82_D555_264B_0053, 0x1CA_2AAA_ACD6_8492, 0x154_0888_D152_6953, 0xB7_DDDD_F73B_0F33,
                0x82_D555_265B_1AF1,
                0x1CA_2AAA_ACD6_83B2, 0x154_0888_D150_38E5, 0xB7_DDDD_F727_1F1F, 0x9F_D555_7E5F_CB40,
                0x1D1_AAAA_C4D2_7300,
                0x155_8888_D550_997F, 0xB1_5DDD_C507_9641, 0x9F_5555_7C5E_4A5D, 0x5D_AAAA_DEF2_925D,
                0x1D5_0888_D311_BF5D,
                0x2A_DDDD_AB06_1641, 0x108_D555_0C77_2F7F,
            ]
        ),
    ]

    @Test("A QR code is the one that another encoder makes", arguments: codes.indices)
    func code(_ index: Int) throws {
        let (text, rows) = Self.codes[index]
        let code = try #require(QRCode(text))
        #expect(code.size == rows.count)
        for (row, expected) in rows.enumerated() {
            let found = (0..<code.size).reduce(UInt64(0)) { code.isDark(row, $1) ? $0 | 1 << UInt64($1) : $0 }
            #expect(found == expected, "row \(row)")
        }
    }

    @Test("A QR code grows with the text, and there is none of more than 213 bytes")
    func sizes() {
        #expect(QRCode("")?.size == 21)
        #expect(QRCode(String(repeating: "x", count: 120))?.size == 45)
        #expect(QRCode(String(repeating: "é", count: 106))?.size == 57)
        #expect(QRCode(String(repeating: "x", count: 214)) == nil)
    }
}
