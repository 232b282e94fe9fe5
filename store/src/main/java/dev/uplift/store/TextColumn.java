package dev.uplift.store;

import dev.uplift.fleet.HostId;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.data.model.runtime.convert.AttributeConverter;
import jakarta.inject.Singleton;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps a component of a row in a column of text: an enum constant, a host, a zone, a list of texts or hosts, a map of
/// texts, or a text that may have characters that PostgreSQL cannot keep. An [Optional] of these is NULL where it is
/// empty. A parameter of a statement with the name of the component is written in the same way.
@Singleton
public final class TextColumn implements AttributeConverter<Object, String> {
  @Override
  public @Nullable String convertToPersistedValue(@Nullable Object value, ConversionContext context) {
    return switch (value) {
      case null -> null;
      case Optional<?> optional -> convertToPersistedValue(optional.orElse(null), context);
      case Enum<?> word -> EnumCodec.encode(word);
      case HostId host -> host.value();
      case ZoneId zone -> zone.getId();
      case Collection<?> list -> StoredText.sanitize(LineCodec.encode(texts(list)));
      case Map<?, ?> map -> StoredText.sanitize(LineCodec.encode(entries(map)));
      default -> StoredText.sanitize(value.toString());
    };
  }

  @Override
  public @Nullable Object convertToEntityValue(@Nullable String text, ConversionContext context) {
    Argument<?> type = ((ArgumentConversionContext<?>) context).getArgument();
    if (type.getType() == Optional.class) {
      return Optional.ofNullable(text).map(found -> decode(element(type), found));
    }
    return text == null ? null : decode(type, text);
  }

  private static Object decode(Argument<?> type, String text) {
    Class<?> raw = type.getType();
    if (raw.isEnum()) {
      return decodeEnum(raw, text);
    }
    if (raw == HostId.class) {
      return new HostId(text);
    }
    if (raw == ZoneId.class) {
      return ZoneId.of(text);
    }
    if (raw == List.class) {
      return LineCodec.decodeList(text).stream().map(one -> decode(element(type), one)).toList();
    }
    return raw == Map.class ? LineCodec.decodeMap(text) : text;
  }

  private static Argument<?> element(Argument<?> type) {
    return type.getFirstTypeVariable().orElse(Argument.STRING);
  }

  private static List<String> texts(Collection<?> list) {
    return list.stream().map(one -> one instanceof HostId host ? host.value() : one.toString()).toList();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> entries(Map<?, ?> map) {
    return (Map<String, String>) map;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object decodeEnum(Class<?> words, String text) {
    return EnumCodec.decode((Class) words, text);
  }
}
