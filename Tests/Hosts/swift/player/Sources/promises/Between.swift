import Foundation
import Synchronization

// Replaces two functions of the C interface, which the linker finds here first: to add members to events as a
// newer library may, and to record what the host reads and wipes.

struct Between {
  /// JSON members that are added to completions.
  var more = ""
  /// The JSON of the completions that the host has read.
  var completions: [String] = []
  /// The addresses and the contents of wiped bytes.
  var wiped: [(address: UInt, bytes: [UInt8])] = []
}

let between = Mutex(Between())

/// The library's function of that name.
private func library<Function>(_ name: String, _ type: Function.Type) -> Function {
  let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
  return unsafeBitCast(dlsym(next, name), to: type)
}

@_cdecl("wallet_core_event_json")
func tellEvent(_ event: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?)
  -> UnsafePointer<CChar>
{
  typealias Function =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>
  let json = library("wallet_core_event_json", Function.self)(event, length)
  guard String(cString: json).contains(#""kind":"completion""#) else { return json }
  return between.withLock { between in
    let more = between.more.isEmpty ? "}" : "," + between.more + "}"
    let told = String(String(cString: json).dropLast()) + more
    between.completions.append(told)
    // Never freed: the host may read it as long as it has the event.
    return UnsafePointer(strdup(told)!)
  }
}

@_cdecl("wallet_core_memzero")
func wipe(_ start: UnsafeMutableRawPointer?, _ length: Int) {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  between.withLock { $0.wiped.append((UInt(bitPattern: start), bytes)) }
  typealias Function = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
  library("wallet_core_memzero", Function.self)(start, length)
}
