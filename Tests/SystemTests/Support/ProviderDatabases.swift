import Foundation
import XCTest

/// Copies of a provider's databases, which somebody puts back.
struct ProviderDatabases {
  private let copy: URL
  private let names: [String]

  init(of provider: TestProvider, _ names: [String]) throws {
    self.names = names.flatMap { name in ["", "-wal", "-shm"].map { name + $0 } }
    copy = try Scratch.directory("databases")
    provider.stop()
    for name in self.names {
      let place = provider.data.appendingPathComponent(name)
      guard FileManager.default.fileExists(atPath: place.path) else { continue }
      try FileManager.default.copyItem(at: place, to: kept(name))
    }
    try provider.start()
  }

  private func kept(_ name: String) -> URL {
    copy.appendingPathComponent(name.replacingOccurrences(of: "/", with: "-"))
  }

  /// Stops the provider, and starts it with the copies. Its clock stays as it is.
  func putBack(_ provider: TestProvider) throws {
    let now = try XCTUnwrap(provider.control("/clock")["now_ms"] as? Int)
    provider.stop()
    for name in names {
      let place = provider.data.appendingPathComponent(name)
      try? FileManager.default.removeItem(at: place)
      guard FileManager.default.fileExists(atPath: kept(name).path) else { continue }
      try FileManager.default.copyItem(at: kept(name), to: place)
    }
    try provider.start()
    let later = now - (try XCTUnwrap(provider.control("/clock")["now_ms"] as? Int))
    if later > 0 { try provider.advanceClock(milliseconds: later) }
  }

  func remove() { try? FileManager.default.removeItem(at: copy) }
}
