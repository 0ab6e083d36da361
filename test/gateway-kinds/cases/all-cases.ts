import { awsCases } from "./aws-cases.ts";
import type { Case } from "./case.ts";
import { gatewayCases } from "./gateway-cases.ts";
import { httpRouteCases } from "./http-route-cases.ts";
import { otherCases } from "./other-cases.ts";

export const allCases: readonly Case[] = [...gatewayCases, ...httpRouteCases, ...otherCases, ...awsCases];
