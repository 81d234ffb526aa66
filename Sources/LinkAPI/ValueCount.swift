/// A bound on the values and names of a text of JSON, which take memory beside the text, however short they are. Each begins the
/// text, or stands behind one of these signs; those within strings count, too.
package func jsonValueCountMax(_ text: [UInt8]) -> Int {
    1
        + text.count {
            switch $0 {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"): true
            default: false
            }
        }
}
