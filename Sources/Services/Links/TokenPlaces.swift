import Synchronization

/// The requests of one kind that each token has under way. A place is given back when nobody keeps
/// it any more, whatever becomes of its request.
package final class TokenPlaces: Sendable {
    /// At most so many of one token, and so many of all tokens.
    let perToken: Int
    let all: Int
    private let taken = Mutex([Int: Int]())

    /// - Parameter all: nil sets no limit for all together.
    init(perToken: Int, all: Int? = nil) { (self.perToken, self.all) = (perToken, all ?? .max) }

    /// One place, which is given back when its answer is made, or with its last reference.
    final class Place: Sendable {
        private let places: TokenPlaces
        private let token: Int
        private let isGivenBack = Atomic(false)

        fileprivate init(_ places: TokenPlaces, _ token: Int) {
            (self.places, self.token) = (places, token)
        }

        /// Frees the place, once. It is called before the end of an answer, so that its client can ask again.
        func giveBack() {
            guard !isGivenBack.exchange(true, ordering: .relaxed) else { return }
            places.giveBack(token)
        }

        deinit { giveBack() }
    }

    /// A reason why there is no place.
    enum Shortage: Error {
        /// The token has all that it may have.
        case ofToken
        case ofAll
    }

    /// Takes a place. Whoever runs the origin, which is token 0, takes none from others, and finds one
    /// when they have all.
    func take(_ token: Int) -> Result<Place, Shortage> {
        taken.withLock { taken in
            guard taken[token, default: 0] < perToken else { return .failure(.ofToken) }
            let others = taken.reduce(0) { $1.key == 0 ? $0 : $0 + $1.value }
            guard token == 0 || others < all else { return .failure(.ofAll) }
            taken[token, default: 0] += 1
            return .success(Place(self, token))
        }
    }

    /// The number of places taken.
    package var count: Int { taken.withLock { $0.values.reduce(0, +) } }

    private func giveBack(_ token: Int) {
        taken.withLock { taken in
            taken[token, default: 0] -= 1
            if taken[token] == 0 { taken[token] = nil }
        }
    }
}
