package dev.uplift.cli;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.option.TokenOutputOptions;
import dev.uplift.cli.option.ValidityParser;
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
    description = "Create tokens for scripts, and revoke bearer tokens before they expire, as an admin.")
final class TokenCommands {
  private static final int MAX_VALID_DAYS = 90;
  private static final String SCRIPT_TOKEN = "uplift_";

  private static final JsonTable SCRIPTS =
      new JsonTable()
          .column("ID", "id")
          .column("NAME", "name")
          .column("ROLE", "role")
          .column("BY", "created_by")
          .column("CREATED", "created_at")
          .column("EXPIRES", "expires_at")
          .column("LAST USED", "last_used_at")
          .column("REVOKED", "revoked");

  private static final JsonTable TABLE =
      new JsonTable()
          .column("REVOKED", "revoked_at")
          .column("BY", "revoked_by")
          .column("TENANT", "tenant")
          .column("TOKEN", "token_id")
          .column("SUBJECT", "subject")
          .column("ISSUED BEFORE", "issued_before")
          .column("REASON", "reason");

  @Command(
      name = "create",
      sortOptions = false,
      description = {
        "Create a token with which a script acts for you, in one tenant. It is shown this once.",
        "Use it as any token: --token-file. It does not approve what you have begun, and ends with your tokens:",
        "`uplift token revoke`, by its ID or your --subject."
      })
  int create(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "NAME", description = "A name for the script, such as ci.") String name,
      @Option(names = "--role", paramLabel = "ROLE", required = true, description = "viewer, operator or admin.")
          String role,
      @Option(
              names = "--valid-for",
              paramLabel = "DURATION",
              defaultValue = "30d",
              description = "Validity, such as 12h or 30d, up to 90d; default: ${DEFAULT-VALUE}.")
          String validity,
      @Mixin TokenOutputOptions output,
      @Mixin DryRunOption dryRun) {
    ObjectNode body =
        RestClient.JSON
            .createObjectNode()
            .put("name", name)
            .put("role", role)
            .put("valid_for_seconds", ValidityParser.parseSeconds(validity, MAX_VALID_DAYS));
    if (dryRun.enabled) {
      return server.print(rest -> rest.send("POST", "api-tokens?validate=true", body), _ -> dryRun.resultText(""));
    }
    try (RestClient rest = server.connect()) {
      output.createFile();
      JsonNode created = post(rest, body, output);
      output.printTokens(
          server.output(),
          created,
          created.path("token").asString(""),
          "token %s of %s, %s, until %s"
              .formatted(created.path("id").asString(""), name, role, created.path("expires_at").asString("")));
    }
    return 0;
  }

  private static JsonNode post(RestClient rest, ObjectNode body, TokenOutputOptions output) {
    try {
      return rest.send("POST", "api-tokens", body);
    } catch (CliException e) {
      output.deleteFile();
      throw e;
    }
  }

  @Command(name = "list", description = "List the tokens of scripts, newest first.")
  int list(@Mixin ServerOptions server) {
    return server.printAll("api-tokens", Map.of(), SCRIPTS);
  }

  @Command(name = "revocations", description = "List the revoked tokens, newest first.")
  int revocations(@Mixin ServerOptions server) {
    return server.printAll("token-revocations", Map.of(), TABLE);
  }

  @Command(
      name = "revoke",
      sortOptions = false,
      description = {
        "Revoke one token, by its id (of a JWT: the claim jti) or its file, or all tokens of a subject (sub).",
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
    String token = UserFile.readPrivate(file).strip();
    if (token.startsWith(SCRIPT_TOKEN)) {
      return token.split("_", -1)[1];
    }
    String[] parts = token.split("\\.", -1);
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
