package dev.uplift.cli.nats;

/// What is to be done with the files once a key was exchanged.
final class NatsInstructions {
  private static final String ENROLMENT_FOLDER = "UPLIFT_ENROLMENT_KEYS_FOLDER of every server";

  private NatsInstructions() {}

  /// Where each file goes that was made at first.
  static String afterInit(NatsFolderOptions place, Object config, Object data) {
    return """
    FILE                            GOES TO
    %-30s  a safe: nothing that runs reads it; `uplift nats rotate` does
    nats/nats.conf, operator.jwt    %s of each nats-server; yours to change
    nats/accounts/*.jwt             %s/accounts of each nats-server, before its first start
    server/server.creds             UPLIFT_NATS_CREDENTIALS_FILE of every server
    enrolment/*                     %s with the role api
    Keep the folder as it is, where no server is: it is the original, and keys are exchanged in it.
    """
        .formatted(place.offline(), config, data, ENROLMENT_FOLDER)
        .strip();
  }

  /// After [dev.uplift.cli.nats.NatsKeyFolder#rotate].
  static String afterRotation(RotatableNatsKey which) {
    String steps =
        switch (which) {
          case HOSTS_SIGNING ->
              """
              there is another key that signs tickets of hosts, and the one before is good too
              1. enrolment/devices.jwt into %1$s; restart it
              2. enrolment/hosts-signing.nk into %1$s; restart it
                 (where there is one server, both at once)
              3. a day later all hosts that are on have tickets of the new key:
                 `uplift nats retire hosts-signing`
              """;
          case OPERATOR_SIGNING ->
              """
              there is another key that signs what accounts may do, and the one before is good too
              1. nats/operator.jwt to every nats-server; restart one after the other (a reload is not enough)
              2. enrolment/* into %1$s; restart it: it tells NATS of all accounts anew
              3. `uplift nats retire operator-signing`
              """;
          case SERVER ->
              """
              there are other credentials for servers, and the ones before are good too
              1. server/server.creds to UPLIFT_NATS_CREDENTIALS_FILE of every server; read at its next login
              2. `uplift nats retire server`
              """;
          case SYSTEM ->
              """
              there are other credentials for telling NATS who may log in; the ones before are good too
              1. enrolment/system.creds into %1$s; read at its next login
              2. `uplift nats retire system`
              """;
        };
    return steps.formatted(ENROLMENT_FOLDER).strip();
  }

  /// After [dev.uplift.cli.nats.NatsKeyFolder#retire].
  static String afterRetirement(RotatableNatsKey which) {
    String steps =
        switch (which) {
          case HOSTS_SIGNING ->
              """
              tickets of the key before are good no more, once NATS knows:
              enrolment/devices.jwt into %1$s; restart it
              A host that has such a ticket is refused, and has another one some minutes later.
              """;
          case OPERATOR_SIGNING ->
              """
              what the key before has signed counts no more, once NATS knows:
              nats/operator.jwt to every nats-server; restart one after the other
              """;
          case SERVER ->
              """
              the credentials of servers from before are good no more, once NATS knows:
              enrolment/streams.jwt into %1$s; restart it
              """;
          case SYSTEM ->
              """
              the credentials from before are good no more, once NATS knows:
              enrolment/system.jwt into %1$s; restart it
              """;
        };
    return steps.formatted(ENROLMENT_FOLDER).strip();
  }
}
