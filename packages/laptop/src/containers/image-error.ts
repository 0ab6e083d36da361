/** An image cannot be had. The message is what a container runtime would say. */
export class ImageError extends Error {
  /** As a waiting container shows it. `InvalidImageName` is not worth another try. */
  readonly code: "ErrImagePull" | "InvalidImageName";
  readonly image: string;

  constructor(code: ImageError["code"], image: string, message: string) {
    super(message);
    this.name = "ImageError";
    this.code = code;
    this.image = image;
  }

  /** The registry has no such image. */
  static notFound(image: string, whole: string): ImageError {
    return new ImageError(
      "ErrImagePull",
      image,
      `rpc error: code = NotFound desc = failed to pull and unpack image "${whole}": ` +
        `failed to resolve reference "${whole}": ${whole}: not found`,
    );
  }

  /** The name is none. */
  static invalid(image: string): ImageError {
    return new ImageError(
      "InvalidImageName",
      image,
      `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`,
    );
  }
}
