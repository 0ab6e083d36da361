/** An image that instances are made of. */
export interface MachineImage {
  /** `ami-` and 8 or 17 hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  readonly architecture: "x86_64" | "arm64";
  readonly description?: string;
  /** Default: Amazon. */
  readonly owner?: string;
  readonly platform?: "windows";
  /** Default: `/dev/xvda`. */
  readonly rootDevice?: string;
  /** In GiB. Default: 8. */
  readonly size?: number;
  /** Whether instances speak the second version of the metadata service only. Default: true. */
  readonly imdsV2?: boolean;
}

/** Whose images are Amazon's own. */
export const AMAZON = "137112412989";
const CANONICAL = "099720109477";

/** Images that everybody finds. The ids are our own: AWS has others in each region, and new ones every month. */
export const WELL_KNOWN_IMAGES: readonly MachineImage[] = [
  { id: "ami-0a1b2c3d4e5f60001", name: "al2023-ami-2023.9.20251105.0-kernel-6.1-x86_64", architecture: "x86_64" },
  { id: "ami-0a1b2c3d4e5f60002", name: "al2023-ami-2023.9.20251105.0-kernel-6.1-arm64", architecture: "arm64" },
  {
    id: "ami-0a1b2c3d4e5f60003",
    name: "ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20251022",
    architecture: "x86_64",
    owner: CANONICAL,
    rootDevice: "/dev/sda1",
  },
  {
    id: "ami-0a1b2c3d4e5f60004",
    name: "ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-arm64-server-20251022",
    architecture: "arm64",
    owner: CANONICAL,
    rootDevice: "/dev/sda1",
  },
  {
    id: "ami-0a1b2c3d4e5f60005",
    name: "amzn2-ami-kernel-5.10-hvm-2.0.20251027.0-x86_64-gp2",
    architecture: "x86_64",
    imdsV2: false,
  },
  {
    id: "ami-0a1b2c3d4e5f60006",
    name: "Windows_Server-2025-English-Full-Base-2025.11.12",
    architecture: "x86_64",
    owner: "801119661308",
    platform: "windows",
    rootDevice: "/dev/sda1",
    size: 30,
    imdsV2: false,
  },
];
