/// The codes of the predefined variables `region` and `lang`, without separators, because they
/// change too seldom for a data file. They are those of Foundation in macOS 27
/// (`Locale.isoRegionCodes` and `Locale.isoLanguageCodes`).
enum ISOCodes {
    /// In upper case: ISO 3166-1 alpha-2, and eight codes that are reserved or for private use.
    static var regions: [[UInt8]] { establishedRegions + otherRegions }
    /// ISO 639 in lower case: the code of two letters if there is one, otherwise the code of three.
    static var languages: [[UInt8]] { establishedLanguages + newLanguages }

    static var establishedRegions: [[UInt8]] { unpack(packedRegions, size: 2) }
    static var establishedLanguages: [[UInt8]] {
        unpack(packedLanguages, size: 2) + unpack(packedLanguagesOfThree, size: 3)
    }

    /// Regions that ISO 3166-1 does not assign; Apple documents only ISO codes.
    static var otherRegions: [[UInt8]] { unpack(packedOtherRegions, size: 2) }
    /// Languages that Foundation in Swift 6.3 does not have.
    static var newLanguages: [[UInt8]] { unpack(packedNewLanguages, size: 3) }

    private static func unpack(_ packed: String, size: Int) -> [[UInt8]] {
        let bytes = Array(packed.utf8)
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<($0 + size)]) }
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
