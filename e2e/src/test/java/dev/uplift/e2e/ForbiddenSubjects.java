package dev.uplift.e2e;

import java.util.List;
import java.util.stream.Stream;

/// The subjects that the host `stolen` of the tenant `acme` may neither publish nor subscribe to: those of other hosts,
/// of other tenants, and of the server.
final class ForbiddenSubjects {
  private static final List<String> STREAMS = List.of("CMD", "EVT", "STATE", "TRUST");

  private ForbiddenSubjects() {}

  private static Stream<String> ofHost(String host) {
    return Stream.of(
        "device-cmd." + host,
        "device-state." + host + ".upgrade",
        "device-state." + host + ".info",
        "device-state." + host,
        "device-heartbeat." + host + ".1",
        "$JS.API.DIRECT.GET.CMD.device-cmd." + host,
        "$JS.API.DIRECT.GET.STATE.device-state." + host + ".info",
        "_INBOX." + host + ".1");
  }

  private static Stream<String> ofStream(String stream) {
    return Stream.of(
            "STREAM.INFO.%s",
            "STREAM.CREATE.%s",
            "STREAM.UPDATE.%s",
            "STREAM.DELETE.%s",
            "STREAM.PURGE.%s",
            "STREAM.MSG.GET.%s",
            "STREAM.MSG.DELETE.%s",
            "STREAM.SNAPSHOT.%s",
            "STREAM.RESTORE.%s",
            "STREAM.PEER.REMOVE.%s",
            "STREAM.LEADER.STEPDOWN.%s",
            "CONSUMER.CREATE.%s",
            "CONSUMER.CREATE.%s.mine",
            "CONSUMER.CREATE.%s.mine.device-cmd.acme.victim",
            "CONSUMER.LIST.%s",
            "CONSUMER.NAMES.%s",
            "CONSUMER.INFO.%s.event-consumer",
            "CONSUMER.DELETE.%s.event-consumer",
            "CONSUMER.MSG.NEXT.%s.event-consumer",
            "CONSUMER.PAUSE.%s.event-consumer",
            "CONSUMER.UNPIN.%s.event-consumer",
            "CONSUMER.DURABLE.CREATE.%s.mine",
            "CONSUMER.CREATE.%s.mine.>",
            "CONSUMER.RESET.%s.event-consumer",
            "CONSUMER.LEADER.STEPDOWN.%s.event-consumer",
            "STREAM.TEMPLATE.CREATE.%s",
            "DIRECT.GET.%s",
            "DIRECT.GET.%s.>")
        .map(api -> "$JS.API." + api.formatted(stream));
  }

  static List<String> publishSubjects() {
    return Stream.of(
            ofHost("acme.victim"),
            ofHost("umbrella.stolen"),
            STREAMS.stream().flatMap(ForbiddenSubjects::ofStream),
            Stream.of(
                "device-cmd.acme.stolen",
                "device-cmd.acme.stolen.more",
                "device-cmd.acme",
                "device-heartbeat.acme.stolen",
                "device-heartbeat.acme.stolen.1.more",
                "device-heartbeat.stolen.1",
                "device-trust.acme.1",
                "device-trust.umbrella.1",
                "$JS.API.DIRECT.GET.TRUST.device-trust.umbrella.1",
                "$JS.API.DIRECT.GET.TRUST.device-trust.acme",
                "$JS.API.INFO",
                "$JS.API.SERVER.REMOVE",
                "$JS.API.ACCOUNT.STREAM.MOVE.STREAMS.CMD",
                "$JS.acme.API.INFO",
                "$JS.API.STREAM.LIST",
                "$JS.API.STREAM.NAMES",
                "$JS.API.ACCOUNT.PURGE.STREAMS",
                "$JS.API.META.LEADER.STEPDOWN",
                "$JS.ACK.EVT.event-consumer.1.1.1.1.0",
                "$JS.FC.EVT.1",
                "$JS.EVENT.ADVISORY.1",
                "$SYS.REQ.CLAIMS.UPDATE",
                "$SYS.REQ.CLAIMS.DELETE",
                "$SYS.REQ.CLAIMS.LIST",
                "$SYS.REQ.CLAIMS.PACK",
                "$SYS.REQ.ACCOUNT.DEVICES.CLAIMS.UPDATE",
                "$SYS.REQ.ACCOUNT.PING.CONNZ",
                "$SYS.REQ.SERVER.PING",
                "$SYS.REQ.SERVER.PING.KICK",
                "$SYS.SERVER.1.CLIENT.AUTH.ERR",
                "_R_.1",
                "_GR_.1",
                "$SYS.REQ.USER.INFO",
                "$KV.fleet.key",
                "$O.fleet.C.1",
                "_INBOX.1",
                "anything"))
        .flatMap(subjects -> subjects)
        .toList();
  }

  static List<String> subscribeSubjects() {
    return Stream.concat(
            Stream.of("acme.victim", "umbrella.stolen")
                .flatMap(host ->
                    Stream.of(
                        "device-cmd." + host,
                        "device-state." + host + ".upgrade",
                        "device-state." + host + ".info",
                        "device-heartbeat." + host + ".*",
                        "_INBOX." + host + ".>")),
            Stream.of(
                ">",
                "*",
                "*.>",
                "device-cmd.>",
                "device-cmd.*.*",
                "device-cmd.acme.*",
                "device-cmd.*.stolen",
                "device-state.>",
                "device-state.acme.stolen.upgrade",
                "device-heartbeat.>",
                "device-trust.>",
                "_INBOX.>",
                "_INBOX.acme.>",
                "_INBOX.*.stolen.>",
                "_INBOX.acme.stolen",
                "_R_.>",
                "device-cmd.acme.stolen.>",
                "$JS.>",
                "$SYS.>",
                "$KV.>"))
        .toList();
  }
}
