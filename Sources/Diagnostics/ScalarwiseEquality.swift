extension String {
    /// Whether all scalars are equal. `==` also accepts canonical equivalents, such as K for the Kelvin sign, for
    /// which it reads ahead: its time is not linear in a text of many combining marks.
    package func isScalarwise(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
    /// Whether all scalars of two texts are equal, or both are missing.
    package func isScalarwise(_ other: String?) -> Bool {
        switch (self, other) {
        case (let own?, let other?): own.isScalarwise(other)
        default: self == nil && other == nil
        }
    }
}
