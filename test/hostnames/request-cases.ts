/** A spec of a request, and the words that it is refused with; without them it is taken. */
export interface RequestCase {
  readonly what: string;
  readonly spec: object;
  readonly refused?: RegExp;
}

const label63 = "a".repeat(63);
const name128 = `${label63}.${"b".repeat(61)}.de`;
const name253 = `${`${label63}.`.repeat(3)}${"b".repeat(58)}.de`;
const hostname = (text: string, refused?: RegExp): RequestCase => ({
  what: JSON.stringify(text).slice(0, 60),
  spec: { zoneId: "A1231313", hostname: text },
  ...(refused && { refused }),
});
const zone = (zoneId: string, refused?: RegExp): RequestCase => ({
  what: `zone ${zoneId}`,
  spec: { zoneId, hostname: "a.example.com" },
  ...(refused && { refused }),
});
const also = (what: string, rest: object, refused?: RegExp): RequestCase => ({
  what,
  spec: { zoneId: "Z1", hostname: "a.example.com", ...rest },
  ...(refused && { refused }),
});
const ARN = "arn:aws:acm:eu-central-1:123456789012:certificate/4e1f-9a";
const ACL = "regional/webacl/front/4e1f-9a";

export const requestCases: readonly RequestCase[] = [
  hostname("test.opendi.com"),
  hostname("opendi.com"),
  hostname("Test.OpenDI.com"),
  hostname("test.opendi.com."),
  hostname("*.opendi.com"),
  hostname("*.Opendi.com."),
  hostname("xn--mnchen-3ya.de"),
  hostname("xn--e1afmkfd.museum"),
  hostname("1.2.example"),
  hostname(`${label63}.com`),
  hostname(name128),
  hostname(`${name128}.`),
  hostname("", /spec.hostname/),
  hostname("https://opendi.com", /without scheme, user, port or path/),
  hostname("opendi.com/", /write the hostname alone/),
  hostname("opendi.com:443", /write the hostname alone/),
  hostname("user@opendi.com", /write the hostname alone/),
  hostname("opendi%2ecom", /write the hostname alone/),
  hostname("[::1]", /write the hostname alone/),
  hostname("münchen.de", /in punycode, such as xn--mnchen-3ya/),
  hostname("\u212Aube.opendi.com", /in punycode/),
  hostname("\uFF4Fpendi.com", /in punycode/),
  hostname("opendi\u3002com", /in punycode/),
  hostname("open\u00ADdi.com", /in punycode/),
  hostname("\u043Ependi.com", /in punycode/),
  hostname("opendi.com\n", /letters a to z/),
  hostname(" opendi.com", /letters a to z/),
  hostname("opendi.com\t", /letters a to z/),
  hostname("a_b.opendi.com", /no underscores; write a dash instead/),
  hostname("*.*.opendi.com", /a wildcard is the whole first label/),
  hostname("a.*.opendi.com", /a wildcard is the whole first label/),
  hostname("*opendi.com", /a wildcard is the whole first label/),
  hostname("opendi.*", /a wildcard is the whole first label/),
  hostname("opendi.com..", /one dot between labels/),
  hostname(".opendi.com", /one dot between labels/),
  hostname("a..opendi.com", /one dot between labels/),
  hostname(`${"a".repeat(64)}.com`, /a label has 63 characters at most/),
  hostname(`b${name128}`, /63 characters at most, a hostname 128/),
  hostname(`a.${name128.slice(1)}`, /63 characters at most, a hostname 128/),
  hostname(`a.${name128.slice(1)}.`, /63 characters at most, a hostname 128/),
  hostname(name253, /63 characters at most, a hostname 128/),
  hostname(`a${name253}..`, /spec.hostname: Too long: may not be more than 254/),
  hostname("-a.opendi.com", /begin and end with a letter or a digit/),
  hostname("a-.opendi.com", /begin and end with a letter or a digit/),
  hostname("opendi.com-", /begin and end with a letter or a digit/),
  hostname("127.0.0.1", /not an IP address/),
  hostname("1.2.3", /not an IP address/),
  hostname("0x7f.1", /not an IP address/),
  hostname("1.2.3.", /not an IP address/),
  hostname("a.xn--p1ai", /the last label has letters only/),
  hostname("*.a.xn--p1ai.", /the last label has letters only/),
  hostname("opendi.c0m", /the last label has letters only/),
  hostname("opendi", /below a domain, such as shop.example.com/),
  hostname("*.com", /below a domain/),
  hostname("*", /a wildcard is the whole first label/),
  hostname("a.c", /below a domain/),

  zone("Z0123456789ABC"),
  zone("A1231313"),
  zone("/hostedzone/Z1", /write the id of the hosted zone alone/),
  zone("z1", /write the id of the hosted zone alone/),
  zone("Z".repeat(33), /write the id of the hosted zone alone/),
  zone("example.com", /write the id of the hosted zone alone/),

  also("all that the first version had", {
    environment: "prod",
    visibility: "internal",
    gatewayClass: "aws-alb",
    gatewaySelector: { matchLabels: { team: "shop" } },
    wafArn: "arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/front/4e1f-9a",
  }),
  also("an unknown environment", { environment: "production" }, /"dev", "staging", "prod"/),
  also("an unknown visibility", { visibility: "public" }, /"internet-facing", "internal"/),
  also("a web ACL of China", { wafArn: `arn:aws-cn:wafv2:cn-north-1:123456789012:${ACL}` }),
  also("a web ACL of the US government", { wafArn: `arn:aws-us-gov:wafv2:us-gov-west-1:123456789012:${ACL}` }),
  also(
    "a web ACL of CloudFront",
    { wafArn: "arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/b" },
    /regional web ACL/,
  ),
  also("a web ACL by name", { wafArn: "front" }, /write the ARN of a regional web ACL/),

  also("a certificate that is there", { certificate: { arn: ARN } }),
  also("a kind of certificate", { certificate: { strategy: "Wildcard", keyAlgorithm: "EC_prime256v1" } }),
  also(
    "a certificate that is there, and a strategy",
    { certificate: { arn: ARN, strategy: "Reuse" } },
    /leave strategy/,
  ),
  also(
    "a certificate that is there, and a key",
    { certificate: { arn: ARN, keyAlgorithm: "RSA_2048" } },
    /leave strategy/,
  ),
  also("a certificate of IAM", { certificate: { arn: "arn:aws:iam::123456789012:server-certificate/a" } }, /of ACM/),

  also("a weighted record", { dns: { setIdentifier: "blue", weight: 10 } }),
  also("a record with failover", { dns: { setIdentifier: "a", failover: "PRIMARY", healthCheckId: "4e1f" } }),
  also("a weight without identifier", { dns: { weight: 10 } }, /setIdentifier goes with weight or failover/),
  also("an identifier alone", { dns: { setIdentifier: "blue" } }, /setIdentifier goes with weight or failover/),
  also("weight and failover", { dns: { setIdentifier: "a", weight: 1, failover: "PRIMARY" } }, /exclude each other/),
  also("too much weight", { dns: { setIdentifier: "a", weight: 256 } }, /255/),
  also("a health check alone", { dns: { healthCheckId: "4e1f" } }, /healthCheckId can only be set together with/),
  also("www", { dns: { www: true } }),
  also("www of a wildcard", { hostname: "*.example.com", dns: { www: true } }, /a wildcard has no www/),
  also("no www of a wildcard", { hostname: "*.example.com", dns: { www: false } }),

  also("further namespaces", { routePolicy: { autoAllow: false, namespaces: ["shop"], kinds: ["GRPCRoute"] } }),
  also("a namespace that is none", { routePolicy: { namespaces: ["Shop"] } }, /routePolicy.namespaces\[0\]/),
  also("a TLSRoute", { routePolicy: { kinds: ["TLSRoute"] } }, /"HTTPRoute", "GRPCRoute"/),
  also("a time to live", { ttl: "72h" }),
  also("a time to live in minutes", { ttl: "1h30m" }),
  also("a time to live in days", { ttl: "3d" }, /spec.ttl/),
  also("too short a time to live", { ttl: "30s" }, /at least a minute/),
  also("a deletion policy", { deletionPolicy: "Retain" }),
  also("an unknown deletion policy", { deletionPolicy: "Orphan" }, /"Delete", "Retain"/),
];
