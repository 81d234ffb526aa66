/// The codes that the predefined variables `region` and `lang` stand for, packed without
/// separators: the facts change too seldom for a data file. They are those of macOS 27's Foundation
/// (`Locale.isoRegionCodes` and `Locale.isoLanguageCodes`).
enum ISOCodes {
    /// Upper case: ISO 3166-1 alpha-2, and eight that are reserved or in private use.
    static var regions: [[UInt8]] { establishedRegions + otherRegions }
    /// ISO 639, lower case: two letters where there are two, three for the other languages.
    static var languages: [[UInt8]] { establishedLanguages + newLanguages }

    static var establishedRegions: [[UInt8]] { unpack(packedRegions, size: 2) }
    static var establishedLanguages: [[UInt8]] {
        unpack(packedLanguages, size: 2) + unpack(packedLanguagesOfThree, size: 3)
    }

    /// Regions that ISO 3166-1 does not assign; Apple documents ISO codes alone.
    static var otherRegions: [[UInt8]] { unpack(packedOtherRegions, size: 2) }
    /// Languages that the Foundation of Swift 6.3 lacks.
    static var newLanguages: [[UInt8]] { unpack(packedNewLanguages, size: 3) }

    private static func unpack(_ packed: String, size: Int) -> [[UInt8]] {
        let bytes = Array(packed.utf8)
        return stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<($0 + size)])
        }
    }
}

private let packedRegions = """
    ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCG\
    CHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGL\
    GMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLA\
    LBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONP\
    NRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSV\
    SXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW
    """

private let packedOtherRegions = "ACCPCQDGEAICTAXK"

private let packedLanguages = """
    aaabaeafakamanarasavayazbabebgbibmbnbobrbscacechcocrcscucvcydadedvdzeeeleneoeseteufa\
    fffifjfofrfygagdglgngugvhahehihohrhthuhyhziaidieigiiikioisitiujajvkakgkikjkkklkmknko\
    krkskukvkwkylalblglilnloltlulvmgmhmimkmlmnmrmsmtmynanbndnengnlnnnonrnvnyocojomorospa\
    piplpsptqurmrnrorurwsascsdsesgsiskslsmsnsosqsrssstsusvswtatetgthtitktntotrtstttwtyug\
    ukuruzvevivowawoxhyiyozazhzu
    """

private let packedLanguagesOfThree = """
    aceachadaadyaebafhagqainakkakzalealnaltanganpapwarcarnaroarparqarsarwaryarzasaaseast\
    avkawabalbanbarbasbaxbbcbbjbejbemberbewbezbfdbfqbgcbgnbhobikbinbjnbkmblablobpybqibra\
    brhbrxbssbuabugbumbynbyvcadcarcaycchccpcebcggchbchgchkchmchnchochpchrchycicckbcopcps\
    crhcsbcswdakdardavdeldendgrdindjedoidsbdtpduadumdyodyudzgebuefieglegyekaelxenmesuewo\
    extfanfatfilfitfonfrcfrmfrofrpfrrfrsfurgaagaggangaygbagbzgezgilglkgmhgohgomgongorgot\
    grbgrcgswgucgurguzgwihaihakhawhifhilhithmnhsbhsnhupibaibbiloinhizhjamjbojgojmcjprjrb\
    jutkaakabkackajkamkawkbdkblkcgkdekeakenkfokgpkhakhokhqkhwkiukkjklnkmbkoikokkoskpekrc\
    krikrjkrlkruksbksfkshkumkutkxvladlaglahlamlezlfnlijlivlktlmolollozlrcltglualuilunluo\
    luslutluylzhlzzmadmafmagmaimakmanmasmdemdfmdhmdrmenmermfemgamghmgomicmidminmismncmni\
    mohmosmrjmuamulmusmwlmwrmwvmyemyvmznnannapnaqndsnewnianiunjonmgnnhnnpnognonnovnqonso\
    nusnwcnymnynnyonziosaotaotkouipagpalpampappaupcdpcmpdcpdtpeopflphnpmspntponpqmprgpro\
    qucqugrajraprarrejrgnrhgrifrofromrtmruerugruprwksadsahsamsaqsassatsazsbasbpscnscosdc\
    sdhseesehseiselsessgasgsshishnshusidsjdsjesjuslislysmasmjsmnsmssnksogsrnsrrssystqsuk\
    sussuxswbsycsyrszltcytemteotertettigtivtkltkrtlhtlitlytmhtogtoktpitrutrvtsdtsittttum\
    tvltwqtyvtzmudmugaumbundvaivecvepvlsvmfvmwvotvrovunwaewalwarwaswbpwuuxalxmfxnrxogyao\
    yapyavybbyrlyuezapzblzeazenzghzunzxxzza
    """

private let packedNewLanguages = "acfcomcrjcrkcrlcrmcstcwdflagcfhchisckionezshpsrs"
