/// The codes of an answer, which are drawn outside of the thread of the store.
package enum DrawnCodes: Equatable, Sendable {
    case code(CodeDrawing)
    case sheet(CodeSheet)

    /// The bytes that drawing them takes at most.
    package var memoryBytes: Int {
        switch self {
        case .code(let code): code.memoryBytes
        case .sheet(let sheet): sheet.memoryBytes
        }
    }

    /// Draws them.
    package var response: APIResponse {
        do throws(Problem) {
            let drawn =
                switch self {
                case .code(let code): try code.draw()
                case .sheet(let sheet): try sheet.draw()
                }
            guard let content = drawn.content else {
                throw .store("there is no memory for the picture")
            }
            var response = APIResponse(200)
            (response.type, response.content) = (drawn.type, content)
            return response
        } catch {
            return error.response
        }
    }
}

extension APIResponse {
    /// An answer that is still to be drawn.
    init(_ drawing: DrawnCodes) {
        self.init(200)
        self.drawing = drawing
    }
}

extension Parameter {
    /// The side of codes.
    /// - Parameters:
    ///   - thing: what is so wide.
    ///   - more: the sentences about the usual side, and what else is of this operation alone.
    static func side(of thing: String, _ range: ClosedRange<Int>, _ more: String) -> Parameter {
        Parameter(
            "mm", .number(range),
            "The side of \(thing) with its margin in millimetres, at least 0.33 for each module. \(more)"
        )
    }
}
