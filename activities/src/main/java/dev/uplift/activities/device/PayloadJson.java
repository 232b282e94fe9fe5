package dev.uplift.activities.device;

import com.google.protobuf.ByteString;
import dev.uplift.workflows.Payloads;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;

/// Payloads of workflows as the texts that tables keep: the same words in both.
public final class PayloadJson {
  private static final DataConverter CONVERTER = Payloads.clientOptions().getDataConverter();
  private static final String ENCODING = "encoding";
  private static final ByteString JSON = ByteString.copyFromUtf8("json/plain");

  private PayloadJson() {}

  public static String write(Object value) {
    return CONVERTER.toPayload(value).orElseThrow().getData().toStringUtf8();
  }

  public static <T> T read(String text, Class<T> type) {
    Payload payload =
        Payload.newBuilder()
            .putMetadata(ENCODING, JSON)
            .setData(ByteString.copyFromUtf8(text))
            .build();
    return CONVERTER.fromPayload(payload, type, type);
  }
}
