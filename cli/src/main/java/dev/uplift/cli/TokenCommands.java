package dev.uplift.cli;

import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.option.UserFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Bearer tokens of people and programs.
@Command(
    name = "token",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Revoke bearer tokens before they expire, as an admin.")
final class TokenCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("REVOKED", "revoked_at")
          .column("BY", "revoked_by")
          .column("TENANT", "tenant")
          .column("TOKEN", "token_id")
          .column("SUBJECT", "subject")
          .column("ISSUED BEFORE", "issued_before")
          .column("REASON", "reason");

  @Command(name = "revocations", description = "List the revoked tokens, newest first.")
  int revocations(@Mixin ServerOptions server) {
    return server.printAll("token-revocations", Map.of(), TABLE);
  }

  @Command(
      name = "revoke",
      sortOptions = false,
      description = {
        "Revoke one token, by its id (the claim jti) or its file, or all tokens of a subject (sub).",
        "With a token of all tenants, in every tenant. Effective within three seconds; cannot be undone."
      })
  int revoke(
      @Mixin ServerOptions server,
      @Parameters(arity = "0..1", paramLabel = "ID", description = "The id of the token.") @Nullable String id,
      @Option(names = "--file", paramLabel = "FILE", description = "The token in this file.") @Nullable Path file,
      @Option(names = "--subject", paramLabel = "NAME", description = "All tokens of this subject.")
          @Nullable String subject,
      @Option(
              names = "--before",
              paramLabel = "TIME",
              description = "Only those of the subject that were issued up to then; default: now.")
          @Nullable String before,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Recorded in the audit log.")
          @Nullable String reason,
      @Mixin DryRunOption dryRun) {
    String tokenId = file == null ? id : idOf(file);
    if ((id != null && file != null) || (tokenId == null) == (subject == null)) {
      throw CliException.usageError("needs either the ID of a token, or --file, or --subject");
    }
    ObjectNode body =
        new RequestFields()
            .put("token_id", tokenId)
            .put("subject", subject)
            .put("issued_before", before)
            .put("reason", reason)
            .json();
    String what = tokenId == null ? "the tokens of " + subject : "token " + tokenId;
    return server.print(
        rest -> rest.send("POST", "token-revocations" + dryRun.query(), body),
        response -> dryRun.resultText("revoked " + what + scope(response)));
  }

  private static String scope(JsonNode response) {
    String tenant = response.path("tenant").asString("");
    return tenant.equals("*") ? " in every tenant" : " in " + tenant;
  }

  private static String idOf(Path file) {
    String[] parts = UserFile.readPrivate(file).strip().split("\\.", -1);
    try {
      byte[] claims = Base64.getUrlDecoder().decode(parts.length == 3 ? parts[1] : "");
      String id = RestClient.JSON.readTree(new String(claims, StandardCharsets.UTF_8)).path("jti").asString("");
      if (!id.isEmpty()) {
        return id;
      }
    } catch (IllegalArgumentException | JacksonException _) {
      throw CliException.usageError(file + " has no token");
    }
    throw CliException.usageError("the token in " + file + " has no id (jti); revoke all of its subject: --subject");
  }
}
