export const MOTO = "5.2.5";

/** AWS's published models, which come with this and which wire models are generated from. Newer ones come out almost daily. */
const MODELS = "1.44.0";

/** What pip installs. */
export const PACKAGES = [`moto[server]==${MOTO}`, `botocore==${MODELS}`];

/** The part's folder in the cache: another one for other versions. */
export const MOTO_FOLDER = `moto-${MOTO}-models-${MODELS}`;
