// A logo covers modules, which readers then misread. Error correction repairs them, block by block.

/// The light square in the middle of a code, on which a logo is drawn.
package struct QRLogo: Equatable, Sendable {
    /// Modules of a side; odd, so that it is in the middle of the modules.
    package let side: Int
    /// The first column and row of it.
    package let first: Int

    fileprivate init(side: Int, in code: QRCode) {
        (self.side, first) = (side, (code.size - side) / 2)
    }

    /// Whether the module is covered.
    func covers(_ column: Int, _ row: Int) -> Bool {
        let range = first..<first + side
        return range.contains(column) && range.contains(row)
    }
}

extension QRCode {
    /// The largest square for a logo of at most this share of the code's side that leaves every
    /// block correctable; nil if there is none.
    package func logo(percentMax: Int) -> QRLogo? {
        let limit = size * percentMax / 100
        return stride(from: limit - (limit + 1) % 2, through: 3, by: -2).lazy
            .map { QRLogo(side: $0, in: self) }
            .first { isSafe(beneath: $0) }
    }

    /// Whether at most half of the codewords that each block can correct are covered. The other
    /// half is for dirt, shadows and damage. A codeword of which one module is covered counts.
    private func isSafe(beneath logo: QRLogo) -> Bool {
        let blocks = version.blockOfCodeword
        var isCovered = [Bool](repeating: false, count: blocks.count)
        var modules = 0
        for (index, module) in LongLine.layouts[version.number - 1].dataModules.enumerated() {
            guard logo.covers(module.column, module.row) else { continue }
            modules += 1
            // Bits that remain after the last codeword have no meaning.
            if index / 8 < isCovered.count { isCovered[index / 8] = true }
        }
        var covered = [Int](repeating: 0, count: version.blocks)
        for (block, isCovered) in zip(blocks, isCovered) where isCovered { covered[block] += 1 }
        return covered.allSatisfy { 2 * $0 <= version.correctable } && modules > 0
    }
}
