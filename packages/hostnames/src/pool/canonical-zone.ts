/** The hosted zones that alias records name for application load balancers, by region. */
const ZONES: ReadonlyMap<string, string> = new Map([
  ["af-south-1", "Z268VQBMOI5EKX"],
  ["ap-east-1", "Z3DQVH9N71FHZ0"],
  ["ap-east-2", "Z02789141MW7T1WBU19PO"],
  ["ap-northeast-1", "Z14GRHDCWA56QT"],
  ["ap-northeast-2", "ZWKZPGTI48KDX"],
  ["ap-northeast-3", "Z5LXEXXYW11ES"],
  ["ap-south-1", "ZP97RAFLXTNZK"],
  ["ap-south-2", "Z0173938T07WNTVAEPZN"],
  ["ap-southeast-1", "Z1LMS91P8CMLE5"],
  ["ap-southeast-2", "Z1GM3OXH4ZPM65"],
  ["ap-southeast-3", "Z08888821HLRG5A9ZRTER"],
  ["ap-southeast-4", "Z09517862IB2WZLPXG76F"],
  ["ap-southeast-5", "Z06010284QMVVW7WO5J"],
  ["ap-southeast-6", "Z023301818UFJ50CIO0MV"],
  ["ap-southeast-7", "Z0390008CMBRTHFGWBCB"],
  ["ca-central-1", "ZQSVJUPU6J1EY"],
  ["ca-west-1", "Z06473681N0SF6OS049SD"],
  ["cn-north-1", "Z1GDH35T77C1KE"],
  ["cn-northwest-1", "ZM7IZAIOVVDZF"],
  ["eu-central-1", "Z215JYRZR1TBD5"],
  ["eu-central-2", "Z06391101F2ZOEP8P5EB3"],
  ["eu-north-1", "Z23TAZ6LKFMNIO"],
  ["eu-south-1", "Z3ULH7SSC9OV64"],
  ["eu-south-2", "Z0956581394HF5D5LXGAP"],
  ["eu-west-1", "Z32O12XQLNTSW2"],
  ["eu-west-2", "ZHURV8PSTC4K8"],
  ["eu-west-3", "Z3Q77PNBQS71R4"],
  ["il-central-1", "Z09170902867EHPV2DABU"],
  ["me-central-1", "Z08230872XQRWHG2XF6I"],
  ["me-south-1", "ZS929ML54UICD"],
  ["mx-central-1", "Z023552324OKD1BB28BH5"],
  ["sa-east-1", "Z2P70J7HTTTPLU"],
  ["us-east-1", "Z35SXDOTRQ7X7K"],
  ["us-east-2", "Z3AADJGX6KTTL2"],
  ["us-gov-east-1", "Z166TLBEWOO7G0"],
  ["us-gov-west-1", "Z33AYJ8TM3BH4J"],
  ["us-west-1", "Z368ELLRRE2KJ0"],
  ["us-west-2", "Z1H1FL5HABSF5"],
]);

/** Names of network load balancers have the region behind `elb`, and other zones. */
const APPLICATION_LOAD_BALANCER = /\.([a-z0-9-]+)\.elb\.amazonaws\.com(?:\.cn)?\.?$/;

/** The hosted zone of an application load balancer, from its DNS name. Undefined for names and regions that are not known here. */
export function canonicalZoneOf(dnsName: string): string | undefined {
  const region = APPLICATION_LOAD_BALANCER.exec(dnsName.toLowerCase())?.[1];
  return region === undefined ? undefined : ZONES.get(region);
}
