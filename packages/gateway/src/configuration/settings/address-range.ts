import { s } from "@gatewright/kube/define";

/** An address, or a range of them. */
export const addressRange = s.string({
  maxLength: 64,
  rules: [{ rule: "isIP(self) || isCIDR(self)", message: "write an address or a range such as 10.0.0.0/8" }],
});
