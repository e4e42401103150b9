import Foundation
import Synchronization

// Replaces functions of the C interface, which the linker finds here first: to add members to events
// as a newer library may, and to record what the host reads, frees and wipes.

struct Interposer {
  /// JSON members that are added to completions.
  var more = ""
  /// The JSON of the completions that the host has read.
  var completions: [String] = []
  /// How many events and errors the host has read, and how many it has freed.
  var eventsRead = 0
  var eventsFreed = 0
  var errorsRead = 0
  var errorsFreed = 0
  /// How many errors belonged to an event, which frees them.
  var errorsOfEvents = 0
  /// The addresses and the contents of wiped bytes.
  var wiped: [(address: UInt, bytes: [UInt8])] = []
}

let interposer = Mutex(Interposer())

/// The library's own function of that name.
private func library<Function>(_ name: String, _ type: Function.Type) -> Function {
  let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
  return unsafeBitCast(dlsym(next, name), to: type)
}

@_cdecl("wallet_core_event_json")
func eventJSON(_ event: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?)
  -> UnsafePointer<CChar>
{
  typealias Function =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>
  let json = library("wallet_core_event_json", Function.self)(event, length)
  interposer.withLock { $0.eventsRead += 1 }
  guard String(cString: json).contains(#""kind":"completion""#) else { return json }
  return interposer.withLock { state in
    let more = state.more.isEmpty ? "}" : "," + state.more + "}"
    let changed = String(String(cString: json).dropLast()) + more
    state.completions.append(changed)
    // Never freed: the host may read it as long as it has the event.
    return UnsafePointer(strdup(changed)!)
  }
}

@_cdecl("wallet_core_event_free")
func freeEvent(_ event: OpaquePointer?) {
  interposer.withLock { $0.eventsFreed += event == nil ? 0 : 1 }
  typealias Function = @convention(c) (OpaquePointer?) -> Void
  library("wallet_core_event_free", Function.self)(event)
}

@_cdecl("wallet_core_event_error")
func eventError(_ event: OpaquePointer?) -> OpaquePointer? {
  typealias Function = @convention(c) (OpaquePointer?) -> OpaquePointer?
  let error = library("wallet_core_event_error", Function.self)(event)
  interposer.withLock { $0.errorsOfEvents += error == nil ? 0 : 1 }
  return error
}

@_cdecl("wallet_core_error_message")
func errorMessage(_ error: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?)
  -> UnsafePointer<CChar>
{
  interposer.withLock { $0.errorsRead += error == nil ? 0 : 1 }
  typealias Function =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>
  return library("wallet_core_error_message", Function.self)(error, length)
}

@_cdecl("wallet_core_error_free")
func freeError(_ error: OpaquePointer?) {
  interposer.withLock { $0.errorsFreed += error == nil ? 0 : 1 }
  typealias Function = @convention(c) (OpaquePointer?) -> Void
  library("wallet_core_error_free", Function.self)(error)
}

@_cdecl("wallet_core_memzero")
func wipe(_ start: UnsafeMutableRawPointer?, _ length: Int) {
  let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  interposer.withLock { $0.wiped.append((UInt(bitPattern: start), bytes)) }
  typealias Function = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
  library("wallet_core_memzero", Function.self)(start, length)
}
