/// The six-digit numbers that people choose most often, besides those that the other rules of
/// `PinPolicy` refuse.
///
/// Source: the passwords that Mark Burnett published in 2015 ("Today I Am Releasing Ten Million
/// Passwords", xato.net), in the order of their frequency, as in SecLists
/// (github.com/danielmiessler/SecLists), `xato-net-10-million-passwords-10000.txt`, commit c205c36a.
/// These are the first 100 of that list that are six digits and fit the other rules. Studies of
/// six-digit PINs take them from such passwords too (Markert and others, "This PIN Can Be Easily
/// Guessed", IEEE Symposium on Security and Privacy 2020).
enum CommonPins {
  /// Returns whether `pin`, which is six ASCII digits, is in the list. Reads the whole list and does
  /// the same work for every PIN, so that the time does not tell which PIN it was.
  static func contain(_ pin: UnsafeRawBufferPointer) -> Bool {
    var number: UInt32 = 0
    for digit in pin { number = number &* 10 &+ UInt32(digit &- 0x30) }
    var found: UInt32 = 0
    numbers.withUnsafeBufferPointer { numbers in
      var index = 0
      while index < numbers.count {
        // If the two numbers are equal, this subtracts 1 from 0, which sets the highest bit.
        // Otherwise the highest bit stays 0.
        found |= (numbers[index] ^ number) &- 1
        index &+= 1
      }
    }
    return found >> 31 == 1
  }

  /// In the order of the source.
  private static let numbers: [UInt32] = [
    123123, 696969, 123321, 121212, 112233, 131313, 159753, 123654, 232323, 159357,
    789456, 101010, 212121, 102030, 252525, 315475, 007007, 111222, 147147, 147258,
    010203, 147852, 420420, 242424, 123789, 098765, 141414, 202020, 852456, 159951,
    134679, 151515, 124578, 135790, 010101, 171717, 142536, 454545, 323232, 741852,
    456123, 666999, 321321, 246810, 753951, 314159, 181818, 321654, 141627, 456456,
    565656, 272727, 343434, 363636, 951753, 191919, 424242, 911911, 112358, 555666,
    909090, 121314, 787878, 090909, 505050, 159159, 789789, 456852, 262626, 123098,
    258456, 161616, 898989, 303030, 102938, 123987, 445566, 545454, 987456, 456654,
    753159, 223344, 313131, 353535, 282828, 906090, 789654, 666777, 369369, 123457,
    132435, 963852, 000007, 989898, 362436, 474747, 128500, 789123, 525252, 321123,
  ]
}
