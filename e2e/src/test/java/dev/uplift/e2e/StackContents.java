package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.stack.Stack;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamState;
import io.nats.client.impl.Headers;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The contents of a stack, read by its own programs, so that neither a compressed page nor an encoding hides anything.
final class StackContents {
  private static final List<String> STREAMS = List.of("CMD", "EVT", "STATE", "TRUST");

  private final Stack stack;

  StackContents(Stack stack) {
    this.stack = stack;
  }

  /// Returns every stored message with its headers, by stream and sequence. The stack must be secured.
  Map<String, String> messages() throws Exception {
    Map<String, String> all = new TreeMap<>();
    Options options =
        Options.builder()
            .server(stack.nats().url())
            .sslContext(context())
            .authHandler(Nats.credentials(stack.nats().operator().serverCredentials().toString()))
            .build();
    Connection connection = Nats.connect(options);
    try {
      JetStreamManagement streams = connection.jetStreamManagement();
      for (String stream : STREAMS) {
        StreamState state = streams.getStreamInfo(stream).getStreamState();
        for (long i = state.getFirstSequence(); i <= state.getLastSequence(); i++) {
          if (!state.getDeleted().contains(i)) {
            MessageInfo found = streams.getMessage(stream, i);
            Headers headers = found.getHeaders();
            String before = found.getSubject() + (headers == null ? " " : headers.entrySet());
            all.put(stream + " " + i, before + new String(found.getData(), UTF_8));
          }
        }
      }
    } finally {
      connection.close();
    }
    return all;
  }

  private SSLContext context() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(stack.secrets().certificates().caCertificate())) {
      trusted.setCertificateEntry("own", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /// Returns the history of every run, with payloads as text.
  Map<String, String> histories() {
    Map<String, String> all = new TreeMap<>();
    WorkflowServiceStubs temporal =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(stack.temporal().target()).build());
    try {
      WorkflowClient client = WorkflowClient.newInstance(temporal);
      client
          .listExecutions("")
          .map(run -> run.getExecution())
          .forEach(run -> all.put("history " + run.getWorkflowId(), history(client, run)));
    } finally {
      temporal.shutdownNow();
    }
    return all;
  }

  private static String history(WorkflowClient client, WorkflowExecution run) {
    return client.fetchHistory(run.getWorkflowId(), run.getRunId()).getHistory().toString();
  }

  /// Returns command lines and environments.
  Map<String, String> processes() throws Exception {
    Map<String, String> all = new TreeMap<>();
    for (ProcessHandle process : stack.processes()) {
      for (String what : List.of("cmdline", "environ")) {
        Path file = Path.of("/proc/%d/%s".formatted(process.pid(), what));
        if (Files.exists(file)) {
          all.put(file.toString(), Files.readString(file, ISO_8859_1));
        }
      }
    }
    return all;
  }

  /// Returns every row of every table, as statements. The server must have ended.
  String tables() throws Exception {
    String url =
        "jdbc:h2:file:%s;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
            .formatted(stack.server().folder().resolve("uplift"));
    String password = Files.readString(stack.secrets().passwordFile("database")).strip();
    var all = new StringBuilder();
    try (var connection = DriverManager.getConnection(url, "uplift", password);
        var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SCRIPT NOPASSWORDS")) {
      while (rows.next()) {
        all.append(rows.getString(1)).append('\n');
      }
    }
    return all.toString();
  }
}
