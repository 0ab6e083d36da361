/** An endpoint as SNS tells it, and as it may be shown: a password in a URL is four stars. */
export function maskedEndpoint(endpoint: string): string {
  return endpoint.replace(/^(https?:\/\/[^/?#:]*):[^/?#]*@/, "$1:****@");
}
