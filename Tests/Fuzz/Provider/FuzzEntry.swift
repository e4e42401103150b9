internal import FoundationEssentials

/// The target that `WALLET_CORE_FUZZ_TARGET` names.
private let target: ProviderFuzzTarget = {
  let name = ProcessInfo.processInfo.environment["WALLET_CORE_FUZZ_TARGET"] ?? ""
  guard let target = ProviderFuzzTarget(rawValue: name) else {
    fatalError("WALLET_CORE_FUZZ_TARGET is one of \(ProviderFuzzTarget.allCases.map(\.rawValue))")
  }
  return target
}()

/// What libFuzzer calls with every input. A broken property traps, as a fault would.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
