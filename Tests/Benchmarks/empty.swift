// What loading libwallet_core.so is measured against: a Swift library that does nothing.
@_cdecl("empty_call")
public func emptyCall() -> Int32 { 1 }
