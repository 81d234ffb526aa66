import LinkIndex
package import LinkStore
import Memory

extension LinkService {
    /// The services that a stop ends: the store, and its visits.
    package var services: [any Service] { [self, visits] }

    /// The generation of the links that are answered; nil before they were read.
    package var generation: Int? { links.value?.generation }

    /// The store's condition, as operators see it.
    package enum State: Equatable, Sendable {
        /// Its links are being read.
        case opening
        case open
        /// It cannot be opened, or is damaged, so that links are missing. It is tried again.
        case closed(StoreError)
        /// It is open, but cannot be changed. Links are answered as before.
        case failed(StoreError)

        /// True if one report is enough for both states (`StoreError.isAlike`).
        func isAlike(_ other: State) -> Bool {
            if case .failed(let error) = self, case .failed(let next) = other {
                return error.isAlike(next)
            }
            return self == other
        }
    }
}
