private import Diagnostics
private import URISyntax

/// The build settings of one configuration, as far as files have them (Xcode, "Build settings").
struct BuildSettings {
    /// The settings of one file or object.
    struct Layer {
        /// Nil for a value that a condition decides.
        var values = [[UInt8]: String?]()
        /// The names with the conditions of other systems and of simulators, by the name alone.
        var conditional = [[UInt8]: [[UInt8]]]()
        /// The places of values that files have, for people.
        var origins = [[UInt8]: String]()
        /// The values that builds for macOS have in place of others.
        var macValues = [[UInt8]: String?]()
        /// The names of values that builds for iOS alone have.
        var namesOfIOS = Set<[UInt8]>()
        /// Whether it has all settings of its file: one that includes a file that is not in the checkout may have more.
        var isWhole = true
        /// The first file that the checkout does not have, if it is not whole; nil if its name is not known.
        var missing: String?

        /// Adds a value with the condition of another system.
        mutating func add(_ value: String?, _ name: [UInt8], ofCondition key: [UInt8]) {
            values[name] = .some(value)
            if conditional[key, default: []].count < AppFileLimits.conditionsMax {
                conditional[key, default: []].append(name)
            }
        }

        /// The value of a setting; nil if the layer has none, and an inner nil where a condition decides.
        func value(_ name: [UInt8], ofMac isOfMac: Bool) -> String?? {
            guard isOfMac else { return values[name] }
            if let value = macValues[name] { return .some(value) }
            return namesOfIOS.contains(name) ? nil : values[name]
        }
    }

    /// The first layer that has a setting decides; `$(inherited)` is what the next ones have.
    private let layers: [Layer]
    /// The first layer that may have settings that it does not say; the number of layers if all say theirs.
    private let firstOpen: Int
    private var isOfMac = false

    /// - Parameter layers: nil for a file that is not in the checkout.
    init(_ layers: [Layer?]) {
        self.layers = layers.map { $0 ?? Layer(isWhole: false) }
        firstOpen = self.layers.firstIndex { !$0.isWhole } ?? layers.count
    }

    /// The settings as builds for macOS have them, such as those of Mac Catalyst.
    var ofMac: BuildSettings {
        var settings = self
        settings.isOfMac = true
        return settings
    }

    enum Value: Equatable {
        case absent
        case known(String)
        /// Only a build knows it.
        case open

        var text: String? { if case .known(let text) = self { text } else { nil } }
    }

    func value(_ name: String) -> Value {
        var budget = Budget()
        return value(Array(name.utf8), from: 0, &budget)
    }

    /// The variables that may still be replaced in one setting, with those in their values, and how deep they are
    /// within each other.
    private struct Budget {
        var left = AppFileLimits.expansionsMax
        var depth = 0
        /// The values that were found. One that is open may be only too deep.
        var known = [[UInt8]: String]()
        /// The first file that is not in the checkout, and that may have what was looked for.
        var missing: String?
    }

    /// The file for which a setting is open: it is not in the checkout, and may have the setting. Nil if there is none.
    func missingFile(for name: String) -> String? {
        var budget = Budget()
        _ = value(Array(name.utf8), from: 0, &budget)
        return budget.missing
    }

    /// A text with the values of its variables; nil if one is not known.
    func expanded(_ text: String) -> String? {
        var budget = Budget()
        return expanded(Array(text.utf8), nil, &budget)
    }

    /// Texts with the values of their variables, as they are where one is not known. Each variable is looked up once.
    func filled(_ texts: [String]) -> [String] {
        var budget = Budget()
        return texts.map { text in
            (budget.left, budget.depth) = (AppFileLimits.expansionsMax, 0)
            return expanded(Array(text.utf8), nil, &budget) ?? text
        }
    }

    /// The first variable of a text, with the place of its value, for people; nil for a text without one.
    func origin(of text: String) -> String? {
        let bytes = Array(text.utf8)
        let start = bytes.indices.dropLast().first {
            bytes[$0] == UInt8(ascii: "$") && beginsVariable(bytes[$0 + 1])
        }
        guard let start, let (name, _) = Self.variable(bytes[(start + 1)...]), !name.isEmpty,
            let layer = layers.first(where: { $0.value(name, ofMac: isOfMac) != nil })
        else { return nil }
        let variable = String(decoding: name, as: UTF8.self)
        return layer.origins[name].map { "\(variable) of \($0)" } ?? "\(variable) of the project"
    }

    private func value(_ name: [UInt8], from start: Int, _ budget: inout Budget) -> Value {
        let found = layers[start...].firstIndex { $0.value(name, ofMac: isOfMac) != nil }
        guard let index = found, index <= firstOpen else {
            guard firstOpen < layers.count else { return .absent }
            budget.missing = budget.missing ?? layers[firstOpen].missing
            return .open
        }
        guard let value = layers[index].value(name, ofMac: isOfMac) ?? nil,
            value.utf8.count <= AppFileLimits.filledBytesMax,
            budget.depth < AppFileLimits.depthMax
        else {
            budget.missing = budget.missing ?? layers[index].missing
            return .open
        }
        budget.depth += 1
        defer { budget.depth -= 1 }
        return expanded(Array(value.utf8), (name, index + 1), &budget).map { .known($0) } ?? .open
    }

    /// - Parameter own: the setting that the text is of, and the first layer that it inherits from.
    private func expanded(
        _ text: [UInt8], _ own: (name: [UInt8], below: Int)?, _ budget: inout Budget
    ) -> String? {
        var result = [UInt8]()
        var index = 0
        while index < text.count {
            let sign =
                index + 1 < text.count && text[index] == UInt8(ascii: "$") ? text[index + 1] : 0
            guard beginsVariable(sign) else {
                result.append(text[index])
                // Two dollar signs are one.
                index += sign == UInt8(ascii: "$") ? 2 : 1
                continue
            }
            budget.left -= 1
            guard budget.left > 0, result.count <= AppFileLimits.filledBytesMax,
                let (name, end) = Self.variable(text[(index + 1)...]),
                !name.contains(UInt8(ascii: ":"))
            else { return nil }
            // People write `https:/$()/host`, because two slashes begin a comment.
            guard !name.isEmpty else {
                index = end
                continue
            }
            let isInherited = name.elementsEqual("inherited".utf8) || name == own?.name
            let value: Value =
                if isInherited {
                    own.map { self.value($0.name, from: $0.below, &budget) } ?? .open
                } else if let known = budget.known[name] {
                    .known(known)
                } else {
                    self.value(name, from: 0, &budget)
                }
            if !isInherited, case .known(let text) = value { budget.known[name] = text }
            switch value {
            case .known(let text): result += text.utf8
            case .absent where isInherited: break
            default: return nil
            }
            index = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The name of a variable behind its dollar sign, and the end of the reference: `(A)`, `{A}`, `[A]` or `A`.
    private static func variable(_ text: ArraySlice<UInt8>) -> (name: [UInt8], end: Int)? {
        let pairs = [("(", ")"), ("{", "}"), ("[", "]")] as [(Unicode.Scalar, Unicode.Scalar)]
        guard let pair = pairs.first(where: { text.first == UInt8(ascii: $0.0) }) else {
            let name = text.prefix {
                $0 == UInt8(ascii: "_") || $0.isDigit || (0x61...0x7A).contains($0 | 0x20)
            }
            return (Array(name), name.endIndex)
        }
        let rest = text.dropFirst()
        return rest.firstIndex(of: UInt8(ascii: pair.1)).map { (Array(rest[..<$0]), $0 + 1) }
    }
}

extension BuildSettings {
    /// The layer of settings with their conditions, such as `KEY[sdk=iphoneos*]`.
    /// - Parameters:
    ///   - origins: the places of the settings, by their names with the conditions.
    ///   - isWhole: whether there are no others, from which a setting can inherit.
    static func layer(
        _ settings: [(name: [UInt8], value: String?)], from origins: [[UInt8]: String] = [:],
        isWhole: Bool = true
    ) -> Layer {
        var layer = Layer(origins: origins, isWhole: isWhole)
        var (conditional, ofMac) = ([[UInt8]: String?](), [[UInt8]: String?]())
        for (name, value) in settings {
            guard let bracket = name.firstIndex(of: UInt8(ascii: "[")) else {
                // What it inherits from an included file is not kept.
                let inherits = value.map { Self.inherits($0, name) } ?? false
                let isOpen = inherits && (!isWhole || layer.values[name] != nil)
                layer.values[name] = .some(isOpen ? nil : value)
                continue
            }
            let key = Array(name[..<bracket])
            switch Condition(name[bracket...]) {
            case .iOS(let isForMac):
                conditional[key] = .some(value)
                layer.origins[key] = origins[name]
                if isForMac { ofMac[key] = .some(value) }
            case .macOS(let isCertain):
                ofMac[key] = .some(isCertain ? value : nil)
                layer.add(value, name, ofCondition: key)
            case .other: layer.add(value, name, ofCondition: key)
            case .open: (conditional[key], ofMac[key]) = (.some(nil), .some(nil))
            }
        }
        // A value with a condition inherits that without one.
        for (key, value) in conditional where layer.values[key] != nil || !isWhole {
            if let value, Self.inherits(value, key) { conditional[key] = .some(nil) }
        }
        for key in conditional.keys where ofMac[key] == nil {
            if let plain = layer.values[key] {
                ofMac[key] = .some(plain)
            } else {
                layer.namesOfIOS.insert(key)
            }
        }
        layer.macValues = ofMac
        layer.values.merge(conditional) { $1 }
        return layer
    }

    /// Whether a value has that of a lower layer in it: Xcode takes a setting's own name as `$(inherited)`.
    private static func inherits(_ text: String, _ own: [UInt8]) -> Bool {
        let bytes = Array(text.utf8)
        // A longer value is open.
        guard bytes.count <= AppFileLimits.filledBytesMax else { return true }
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "$"), beginsVariable(bytes[index + 1]) else {
                index += 1
                continue
            }
            // So is one with a reference that does not end.
            guard let (name, end) = variable(bytes[(index + 1)...]) else { return true }
            let plain = name.prefix { $0 != UInt8(ascii: ":") }
            if plain.elementsEqual(own) || plain.elementsEqual("inherited".utf8) { return true }
            index = end
        }
        return false
    }

    /// The condition of a setting.
    private enum Condition {
        /// Every build for iOS has the setting, and perhaps every build for macOS.
        case iOS(isForMac: Bool)
        /// Builds for macOS have it, also those of Mac Catalyst; all of them, or those of another condition.
        case macOS(isCertain: Bool)
        /// Builds of other systems and of the simulator have it.
        case other
        /// Another condition decides, too.
        case open

        /// - Parameter text: one or more of `[NAME=PATTERN]`.
        init(_ text: ArraySlice<UInt8>) {
            let rest = text.dropFirst("[sdk=".utf8.count)
            let name = "iphoneos".utf8
            let pattern = rest.prefix { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "*") }
            guard text.starts(with: "[sdk=".utf8) else {
                self = .open
                return
            }
            let isWhole = rest.dropFirst(pattern.count).elementsEqual("*]".utf8)
            guard name.starts(with: pattern) || pattern.starts(with: name) else {
                let isForMac =
                    "macosx".utf8.starts(with: pattern) || pattern.starts(with: "macosx".utf8)
                self = isForMac ? .macOS(isCertain: isWhole && pattern.count <= 6) : .other
                return
            }
            self =
                isWhole && pattern.count <= name.count ? .iOS(isForMac: pattern.isEmpty) : .open
        }
    }

    /// The values that builds for other systems, or for simulators, have for a setting.
    func values(_ name: String, ofSimulators: Bool) -> [Value] {
        let keys = layers.flatMap { $0.conditional[Array(name.utf8), default: []] }.filter { key in
            holds("simulator", in: String(decoding: key, as: UTF8.self)) == ofSimulators
        }
        return Set(keys).map { key in
            var budget = Budget()
            return value(key, from: 0, &budget)
        }
    }

    /// Whether a condition gives builds for macOS a value of their own for a setting.
    func hasMacValue(_ name: String) -> Bool {
        layers.flatMap { $0.conditional[Array(name.utf8), default: []] }.contains { key in
            holds("[sdk=macosx", in: String(decoding: key, as: UTF8.self))
        }
    }
}
