/** Hosted zones of AWS in which the names of load balancers are: what aliases point at. First application, then network. */
const ZONES: ReadonlyMap<string, readonly [application: string, network?: string]> = new Map([
  ["us-east-1", ["Z35SXDOTRQ7X7K", "Z26RNL4JYFTOTI"]],
  ["us-east-2", ["Z3AADJGX6KTTL2", "ZLMOA37VPKANP"]],
  ["us-west-1", ["Z368ELLRRE2KJ0", "Z24FKFUX50B4VW"]],
  ["us-west-2", ["Z1H1FL5HABSF5", "Z18D5FSROUN65G"]],
  ["ca-central-1", ["ZQSVJUPU6J1EY", "Z2EPGBW3API2WT"]],
  ["ca-west-1", ["Z06473681N0SF6OS049SD"]],
  ["mx-central-1", ["Z023552324OKD1BB28BH5"]],
  ["sa-east-1", ["Z2P70J7HTTTPLU", "ZTK26PT1VY4CU"]],
  ["eu-central-1", ["Z215JYRZR1TBD5", "Z3F0SRJ5LGBH90"]],
  ["eu-central-2", ["Z06391101F2ZOEP8P5EB3"]],
  ["eu-west-1", ["Z32O12XQLNTSW2", "Z2IFOLAFXWLO4F"]],
  ["eu-west-2", ["ZHURV8PSTC4K8", "ZD4D7Y8KGAS4G"]],
  ["eu-west-3", ["Z3Q77PNBQS71R4", "Z1CMS0P5QUZ6D5"]],
  ["eu-north-1", ["Z23TAZ6LKFMNIO", "Z1UDT6IFJ4EJM"]],
  ["eu-south-1", ["Z3ULH7SSC9OV64", "Z23146JA1KNAFP"]],
  ["eu-south-2", ["Z0956581394HF5D5LXGAP"]],
  ["ap-east-1", ["Z3DQVH9N71FHZ0", "Z12Y7K3UBGUAD1"]],
  ["ap-east-2", ["Z02789141MW7T1WBU19PO"]],
  ["ap-south-1", ["ZP97RAFLXTNZK", "ZVDDRBQ08TROA"]],
  ["ap-south-2", ["Z0173938T07WNTVAEPZN"]],
  ["ap-northeast-1", ["Z14GRHDCWA56QT", "Z31USIVHYNEOWT"]],
  ["ap-northeast-2", ["ZWKZPGTI48KDX", "ZIBE1TIR4HY56"]],
  ["ap-northeast-3", ["Z5LXEXXYW11ES", "Z1GWIQ4HH19I5X"]],
  ["ap-southeast-1", ["Z1LMS91P8CMLE5", "ZKVM4W9LS7TM"]],
  ["ap-southeast-2", ["Z1GM3OXH4ZPM65", "ZCT6FZBF4DROD"]],
  ["ap-southeast-3", ["Z08888821HLRG5A9ZRTER"]],
  ["ap-southeast-4", ["Z09517862IB2WZLPXG76F"]],
  ["ap-southeast-5", ["Z06010284QMVVW7WO5J"]],
  ["ap-southeast-6", ["Z023301818UFJ50CIO0MV"]],
  ["ap-southeast-7", ["Z0390008CMBRTHFGWBCB"]],
  ["af-south-1", ["Z268VQBMOI5EKX", "Z203XCE67M25HM"]],
  ["il-central-1", ["Z09170902867EHPV2DABU"]],
  ["me-south-1", ["ZS929ML54UICD", "Z3QSRYVP46NYYV"]],
  ["me-central-1", ["Z08230872XQRWHG2XF6I"]],
  ["us-gov-west-1", ["Z33AYJ8TM3BH4J"]],
  ["us-gov-east-1", ["Z166TLBEWOO7G0"]],
  ["cn-north-1", ["Z1GDH35T77C1KE"]],
  ["cn-northwest-1", ["ZM7IZAIOVVDZF"]],
]);

/** Stands for regions whose zone is not known here. */
const ELSEWHERE = "Z00000000000000000000";

/** The zone of a region for a type of load balancer. */
export function canonicalZone(region: string, type: "application" | "network"): string {
  const [application = ELSEWHERE, network = ELSEWHERE] = ZONES.get(region) ?? [];
  return type === "application" ? application : network;
}
