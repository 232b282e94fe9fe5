package dev.uplift.cli.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.RestClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;

/// JSON files in one zip file, without secrets.
final class ReportArchive {
  private final SecretRedactor redactor;
  private final Map<String, String> files = new LinkedHashMap<>();

  ReportArchive(SecretRedactor redactor) {
    this.redactor = redactor;
  }

  void add(String name, JsonNode content) {
    files.put(
        name, RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(redactor.redact(content)) + "\n");
  }

  byte[] toZip() {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue().getBytes(UTF_8));
        zip.closeEntry();
      }
    } catch (IOException e) {
      // Nothing is written to a disk here.
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
