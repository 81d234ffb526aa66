import Certificates
import Files

extension PublicSuffixes {
    /// The list that the machine has, such as that of Debian's package publicsuffix; nil if there is
    /// none. Then only the words of authorities say whom a limit concerns.
    static var installed: PublicSuffixes? {
        (try? readFile("/usr/share/publicsuffix/public_suffix_list.dat", bytesMax: 4 << 20))
            .flatMap { PublicSuffixes($0.bytes) }
    }
}
