/** A code and status that the published model leaves out. */
interface ErrorCode {
  readonly code: string;
  readonly status: number;
}

const sqs = (name: string, status = 400): ErrorCode => ({ code: `AWS.SimpleQueueService.${name}`, status });
const kms = (name: string): ErrorCode => ({ code: `KMS.${name}`, status: 400 });

/**
 * Services that spoke the query protocol before still send the code that an error had there, and clients still decide by it. By
 * service and shape, where that is not the name of the shape.
 */
export const QUERY_ERROR_CODES: Readonly<Record<string, Readonly<Record<string, ErrorCode>>>> = {
  sqs: {
    BatchEntryIdsNotDistinct: sqs("BatchEntryIdsNotDistinct"),
    BatchRequestTooLong: sqs("BatchRequestTooLong"),
    EmptyBatchRequest: sqs("EmptyBatchRequest"),
    InvalidAddress: { code: "InvalidAddress", status: 404 },
    InvalidBatchEntryId: sqs("InvalidBatchEntryId"),
    InvalidSecurity: { code: "InvalidSecurity", status: 403 },
    KmsAccessDenied: kms("AccessDeniedException"),
    KmsDisabled: kms("DisabledException"),
    KmsInvalidKeyUsage: kms("InvalidKeyUsageException"),
    KmsInvalidState: kms("InvalidStateException"),
    KmsNotFound: kms("NotFoundException"),
    KmsOptInRequired: { code: "KMS.OptInRequired", status: 403 },
    KmsThrottled: kms("ThrottlingException"),
    MessageNotInflight: sqs("MessageNotInflight"),
    OverLimit: { code: "OverLimit", status: 403 },
    PurgeQueueInProgress: sqs("PurgeQueueInProgress", 403),
    QueueDeletedRecently: sqs("QueueDeletedRecently"),
    QueueDoesNotExist: sqs("NonExistentQueue"),
    QueueNameExists: { code: "QueueAlreadyExists", status: 400 },
    ReceiptHandleIsInvalid: { code: "ReceiptHandleIsInvalid", status: 404 },
    RequestThrottled: { code: "RequestThrottled", status: 403 },
    TooManyEntriesInBatchRequest: sqs("TooManyEntriesInBatchRequest"),
    UnsupportedOperation: sqs("UnsupportedOperation"),
  },
};
