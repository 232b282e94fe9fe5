package dev.uplift.fleet.webhook;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/// The address of a receiver of webhooks, as bytes of IPv4 or IPv6.
///
/// A webhook of a tenant makes the server connect to where the tenant says. So what only the server may reach is not
/// reached: itself, its network, and the metadata of its cloud.
public final class ReceiverAddress {
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  /// Blocks that IANA's registry of special addresses does not call globally reachable, multicast, and the address of
  /// the platform on each machine of Azure.
  private static final List<Block> NOT_PUBLIC_IPV4 =
      List.of(
          ipv4(8, 0),
          ipv4(8, 10),
          ipv4(10, 100, 64),
          ipv4(8, 127),
          ipv4(32, 168, 63, 129, 16),
          ipv4(16, 169, 254),
          ipv4(12, 172, 16),
          ipv4(24, 192, 0, 0),
          ipv4(24, 192, 0, 2),
          ipv4(24, 192, 88, 99),
          ipv4(16, 192, 168),
          ipv4(15, 198, 18),
          ipv4(24, 198, 51, 100),
          ipv4(24, 203, 0, 113),
          ipv4(4, 224),
          ipv4(4, 240));

  /// All of IPv6 that is given to anybody.
  private static final Block GLOBAL_UNICAST = ipv6(3, 0x20);

  private static final List<Block> NOT_PUBLIC_IPV6 =
      List.of(ipv6(23, 0x20, 0x01), ipv6(32, 0x20, 0x01, 0x0d, 0xb8), ipv6(20, 0x3f, 0xff));

  private static final Block MAPPED_IPV4 = ipv6(96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff);
  private static final Block NAT64 = ipv6(96, 0, 0x64, 0xff, 0x9b);
  private static final Block SIX_TO_FOUR = ipv6(16, 0x20, 0x02);

  private ReceiverAddress() {}

  /// The addresses whose first `bits` are `prefix`.
  private record Block(int bits, BigInteger prefix) {
    boolean contains(byte[] address) {
      return new BigInteger(1, address).shiftRight(address.length * Byte.SIZE - bits).equals(prefix);
    }
  }

  /// Returns whether it is an address of the Internet that everybody reaches. An IPv6 address that stands for one of
  /// IPv4 is judged as that.
  ///
  /// @param address 4 or 16 bytes
  public static boolean isPublic(byte[] address) {
    if (address.length == IPV4_BYTES) {
      return NOT_PUBLIC_IPV4.stream().noneMatch(block -> block.contains(address));
    }
    if (MAPPED_IPV4.contains(address) || NAT64.contains(address)) {
      return isPublic(ipv4Within(address, 12));
    }
    if (SIX_TO_FOUR.contains(address)) {
      return isPublic(ipv4Within(address, 2));
    }
    return GLOBAL_UNICAST.contains(address) && NOT_PUBLIC_IPV6.stream().noneMatch(block -> block.contains(address));
  }

  private static byte[] ipv4Within(byte[] address, int from) {
    return Arrays.copyOfRange(address, from, from + IPV4_BYTES);
  }

  private static Block ipv4(int bits, int... first) {
    return block(IPV4_BYTES, bits, first);
  }

  private static Block ipv6(int bits, int... first) {
    return block(IPV6_BYTES, bits, first);
  }

  private static Block block(int size, int bits, int... first) {
    byte[] address = new byte[size];
    for (int i = 0; i < first.length; i++) {
      address[i] = (byte) first[i];
    }
    return new Block(bits, new BigInteger(1, address).shiftRight(size * Byte.SIZE - bits));
  }
}
