import TestSupport

/// Damages `bytes` at one position: a bit, a byte, or a piece lost, doubled or moved.
func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
  guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
  let position = Int.random(in: 0..<bytes.count, using: &random)
  let piece = position..<min(bytes.count, position + Int.random(in: 1...12, using: &random))
  switch Int.random(in: 0..<7, using: &random) {
  case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  case 1: bytes[position] = UInt8.random(in: 0...255, using: &random)
  case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
  case 3: bytes.removeSubrange(piece)
  case 4: bytes.insert(contentsOf: bytes[piece], at: position)
  case 5:
    let moved = Array(bytes[piece])
    bytes.removeSubrange(piece)
    bytes.insert(contentsOf: moved, at: Int.random(in: 0...bytes.count, using: &random))
  default: bytes.removeLast(bytes.count - position)
  }
}
