package dev.uplift.fleet.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReceiverAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "168.63.129.17",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450:4001:81b::200e",
        "2002:0808:0808::1",
        "64:ff9b::808:808"
      })
  void addressesOfTheInternetArePublic(String address) throws UnknownHostException {
    assertThat(ReceiverAddress.isPublic(bytes(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.168.1.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fd00:ec2::254",
        "fc00::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "2001::1",
        "3fff::1",
        "2002:7f00:0001::1",
        "2002:a9fe:a9fe::1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "::127.0.0.1"
      })
  void whatOnlyTheServerReachesIsNot(String address) throws UnknownHostException {
    assertThat(ReceiverAddress.isPublic(bytes(address))).isFalse();
  }

  @Test
  void anAddressOfIpv4WithinIpv6IsJudgedAsThat() {
    // Java itself would make it one of IPv4.
    String mapped = "00000000000000000000ffff";

    assertThat(ReceiverAddress.isPublic(HexFormat.of().parseHex(mapped + "7f000001"))).isFalse();
    assertThat(ReceiverAddress.isPublic(HexFormat.of().parseHex(mapped + "08080808"))).isTrue();
  }

  private static byte[] bytes(String address) throws UnknownHostException {
    return InetAddress.getByName(address).getAddress();
  }
}
