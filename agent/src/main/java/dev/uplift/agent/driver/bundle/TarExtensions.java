package dev.uplift.agent.driver.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/// Values that stand before an entry because they do not fit into its header.
record TarExtensions(@Nullable String name, @Nullable String target, @Nullable Long size) {
  static final TarExtensions NONE = new TarExtensions(null, null, null);

  TarExtensions withName(String longName) {
    return new TarExtensions(longName, target, size);
  }

  TarExtensions withTarget(String longTarget) {
    return new TarExtensions(name, longTarget, size);
  }

  /// Records of pax, each `length key=value` and a line end; the length counts all of it.
  TarExtensions with(byte[] records) throws InvalidArchive {
    TarExtensions all = this;
    int start = 0;
    while (start < records.length) {
      int end = start + length(records, start);
      int blank = indexOf(records, ' ', start, end);
      int equals = indexOf(records, '=', blank, end);
      String key = new String(records, blank + 1, equals - blank - 1, UTF_8);
      String value = new String(records, equals + 1, end - equals - 2, UTF_8);
      all = all.with(key, value);
      start = end;
    }
    return all;
  }

  private TarExtensions with(String key, String value) throws InvalidArchive {
    return switch (key) {
      case "path" -> withName(value);
      case "linkpath" -> withTarget(value);
      case "size" -> new TarExtensions(name, target, number(value));
      default -> {
        if (key.startsWith("GNU.sparse")) {
          throw new InvalidArchive("a file with holes");
        }
        yield this;
      }
    };
  }

  private static int length(byte[] records, int start) throws InvalidArchive {
    int blank = indexOf(records, ' ', start, records.length);
    long length = number(new String(records, start, blank - start, UTF_8));
    if (length < blank - start + 3 || length > records.length - start) {
      throw invalidHeader();
    }
    return (int) length;
  }

  private static int indexOf(byte[] records, char wanted, int start, int end) throws InvalidArchive {
    for (int i = start; i < end - 1; i++) {
      if (records[i] == wanted) {
        return i;
      }
    }
    throw invalidHeader();
  }

  private static long number(String digits) throws InvalidArchive {
    if (!digits.matches("\\d{1,18}")) {
      throw invalidHeader();
    }
    return Long.parseLong(digits);
  }

  private static InvalidArchive invalidHeader() {
    return new InvalidArchive("a damaged extension header");
  }

  static String text(byte[] bytes) {
    return TarReader.textOf(bytes, 0, bytes.length);
  }

  String nameOr(String fromHeader) {
    return name == null ? fromHeader : name;
  }

  String targetOr(String fromHeader) {
    return target == null ? fromHeader : target;
  }

  long sizeOr(long fromHeader) {
    return size == null ? fromHeader : size;
  }
}
