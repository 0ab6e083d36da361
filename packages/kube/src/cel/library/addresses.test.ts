import { describe } from "node:test";
import { testCases } from "../testing/expression-table.ts";

describe("quantities, addresses and networks", () => {
  testCases([
    ["quantity('1Gi').isGreaterThan(quantity('1000Mi'))", "true", 3],
    ["quantity('1Gi').compareTo(quantity('1024Mi'))", "0", 3],
    [
      "quantity('abc')",
      "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      1,
    ],
    [
      "quantity('')",
      "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      0,
    ],
    ["isQuantity('1.5k') && !isQuantity('x')", "true", 3],
    ["quantity('50k').asInteger()", "50000", 2],
    ["quantity('1.5').asInteger()", "error: cannot convert value to integer", 2],
    ["quantity('50k').isInteger()", "true", 2],
    ["sign(quantity('-1')) == -1", "true", 3],
    ["quantity('1').sign()", "refused: 1:19 found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'"],
    ["quantity('50k').add(20).sub(quantity('20k')).asInteger()", "30020", 5],
    ["quantity('50k').sub(20)", "49980", 2],
    ["quantity('200M') == quantity('0.2G')", "true", 3],
    ["quantity('200M').isLessThan(quantity('1G'))", "true", 3],
    ["ip('192.168.0.1').family()", "4", 3],
    ["ip('::1').family()", "6", 2],
    [
      "ip('1.2.3')",
      'error: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
      1,
    ],
    [
      "ip('abc')",
      'error: IP Address "abc" parse error during conversion from string: ParseAddr("abc"): unable to parse IP',
      1,
    ],
    [
      "ip('1.2.3.256')",
      'error: IP Address "1.2.3.256" parse error during conversion from string: ParseAddr("1.2.3.256"): IPv4 field has value >255',
      1,
    ],
    ["ip('')", 'error: IP Address "" parse error during conversion from string: ParseAddr(""): unable to parse IP', 0],
    ["ip('fe80::1%eth0')", 'error: IP address "fe80::1%eth0" with zone value is not allowed', 2],
    ["ip('::ffff:1.2.3.4')", 'error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed', 2],
    ["ip('2001:DB8::1')", "2001:db8::1", 2],
    ["isIP('1.2.3.4') && isIP('::') && !isIP('01.2.3.4') && !isIP('x')", "true", 6],
    ["ip.isCanonical('127.0.0.1') && !ip.isCanonical('2001:DB8::1') && ip.isCanonical('2001:db8::1')", "true", 9],
    [
      "ip.isCanonical('zz')",
      'error: IP Address "zz" parse error during conversion from string: ParseAddr("zz"): unable to parse IP',
      1,
    ],
    ["ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified()", "true", 4],
    ["ip('127.1.2.3').isLoopback() && ip('::1').isLoopback()", "true", 4],
    [
      "ip('224.0.0.5').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast() && !ip('224.1.0.1').isLinkLocalMulticast()",
      "true",
      7,
    ],
    ["ip('169.254.1.1').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast()", "true", 5],
    [
      "ip('8.8.8.8').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast() && ip('10.0.0.1').isGlobalUnicast() && ip('2001:db8::1').isGlobalUnicast()",
      "true",
      11,
    ],
    ["string(ip('2001:db8:0:0::1'))", '"2001:db8::1"', 3],
    ["ip('1.2.3.4') == ip('1.2.3.4')", "true", 3],
    [
      "cidr('192.168.0.0/24').containsIP('192.168.0.7') && !cidr('192.168.0.0/24').containsIP(ip('192.168.1.7'))",
      "true",
      11,
    ],
    ["cidr('192.168.0.0/24').containsIP('abc')", "error: no such overload", 4],
    [
      "cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24') && !cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.0/16'))",
      "true",
      15,
    ],
    ["cidr('192.168.0.7/24').masked() == cidr('192.168.0.0/24')", "true", 6],
    ["cidr('192.168.0.7/24').ip()", "192.168.0.7", 3],
    ["cidr('192.168.0.7/24').prefixLength()", "24", 3],
    ["string(cidr('2001:DB8::/32'))", '"2001:db8::/32"', 3],
    [
      "cidr('192.168.0.0')",
      "error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(\"192.168.0.0\"): no '/'",
      2,
    ],
    [
      "cidr('192.168.0.0/33')",
      'error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("192.168.0.0/33"): prefix length out of range',
      2,
    ],
    [
      "cidr('192.168.0.0/a')",
      'error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("192.168.0.0/a"): bad bits after slash: "a"',
      2,
    ],
    [
      "cidr('192.168.0.0/08')",
      'error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("192.168.0.0/08"): bad bits after slash: "08"',
      2,
    ],
    [
      "cidr('x/8')",
      'error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x/8"): ParseAddr("x"): unable to parse IP',
      1,
    ],
    [
      "cidr('::ffff:1.2.3.4/100')",
      'error: network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/100" is not allowed',
      2,
    ],
    ["isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/64')", "true", 6],
  ]);
});
