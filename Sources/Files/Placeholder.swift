private let placeholder = 0
