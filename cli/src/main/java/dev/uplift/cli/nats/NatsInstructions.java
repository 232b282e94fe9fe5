package dev.uplift.cli.nats;

/// Instructions for an operator: what to do with the files.
final class NatsInstructions {
  private static final String ENROLMENT_FOLDER = "UPLIFT_ENROLMENT_KEYS_FOLDER of every server";

  private NatsInstructions() {}

  /// Returns the destination of each file after `init`.
  static String afterInit(NatsFolderOptions folderOptions, Object config, Object data) {
    return """
    FILE                            GOES TO
    %-30s  a safe: only `uplift nats rotate` and `retire` read it
    nats/nats.conf, operator.jwt    %s of each nats-server; edit it as needed
    nats/accounts/*.jwt             %s/accounts of each nats-server, before its first start
    server/server.creds             UPLIFT_NATS_CREDENTIALS_FILE of every server
    enrolment/*                     %s with the role api
    Keep this folder outside of servers: it is the original, and keys are rotated in it.
    """
        .formatted(folderOptions.offline(), config, data, ENROLMENT_FOLDER)
        .strip();
  }

  /// Returns the steps after [NatsKeyFolder#rotate].
  static String afterRotation(RotatableNatsKey which) {
    String steps =
        switch (which) {
          case HOSTS_SIGNING ->
              """
              created a new key that signs JWTs of hosts; the previous one is still valid
              1. enrolment/devices.jwt into %1$s; wait until each has logged that it is in use
              2. enrolment/hosts-signing.nk into %1$s
                 (with a single server, both at once)
              3. a day later all hosts that are online have JWTs of the new key:
                 `uplift nats retire hosts-signing`
              """;
          case OPERATOR_SIGNING ->
              """
              created a new key that signs account JWTs; the previous one is still valid
              1. nats/operator.jwt to every nats-server; restart one after the other (a reload is not enough)
              2. enrolment/* into %1$s, which publishes all account JWTs again
              3. `uplift nats retire operator-signing`
              """;
          case SERVER ->
              """
              created new credentials for servers; the previous ones are still valid
              1. server/server.creds to UPLIFT_NATS_CREDENTIALS_FILE of every server; read at its next login
              2. `uplift nats retire server`
              """;
          case SYSTEM ->
              """
              created new credentials for updating account JWTs; the previous ones are still valid
              1. enrolment/system.creds into %1$s; read at its next login
              2. `uplift nats retire system`
              """;
        };
    return steps.formatted(ENROLMENT_FOLDER).strip();
  }

  /// Returns the steps after [NatsKeyFolder#retire].
  static String afterRetirement(RotatableNatsKey which) {
    String steps =
        switch (which) {
          case HOSTS_SIGNING ->
              """
              JWTs of previous keys become invalid once NATS has the new account JWT:
              enrolment/devices.jwt into %1$s
              A host with such a JWT is rejected, and gets a new one within minutes.
              """;
          case OPERATOR_SIGNING ->
              """
              account JWTs signed by previous keys become invalid once NATS has the new operator JWT:
              nats/operator.jwt to every nats-server; restart one after the other
              """;
          case SERVER ->
              """
              previous credentials of servers become invalid once NATS has the new account JWT:
              enrolment/streams.jwt into %1$s
              """;
          case SYSTEM ->
              """
              previous credentials become invalid once NATS has the new account JWT:
              enrolment/system.jwt into %1$s
              """;
        };
    return steps.formatted(ENROLMENT_FOLDER).strip();
  }
}
