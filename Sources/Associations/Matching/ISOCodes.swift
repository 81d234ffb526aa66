/// The codes that the predefined variables `region` and `lang` stand for, packed without
/// separators: the facts change too seldom for a data file.
enum ISOCodes {
    /// ISO 3166-1 alpha-2, upper case.
    static var regions: [[UInt8]] { unpack(packedRegions, size: 2) }
    /// ISO 639, lower case: two letters where there are two, three for the other languages.
    static var languages: [[UInt8]] {
        unpack(packedLanguages, size: 2) + unpack(packedLanguagesOfThree, size: 3)
    }

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

private let packedLanguages = """
    aaabaeafakamanarasavayazbabebgbibmbnbobrbscacechcocrcscucvcydadedvdzeeeleneoeseteufa\
    fffifjfofrfygagdglgngugvhahehihohrhthuhyhziaidieigiiikioisitiujajvkakgkikjkkklkmknko\
    krkskukvkwkylalblglilnloltlulvmgmhmimkmlmnmrmsmtmynanbndnengnlnnnonrnvnyocojomorospa\
    piplpsptqurmrnrorurwsascsdsesgsiskslsmsnsosqsrssstsusvswtatetgthtitktltntotrtstttwty\
    ugukuruzvevivowawoxhyiyozazhzu
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
