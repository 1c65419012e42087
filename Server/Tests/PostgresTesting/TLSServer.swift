extension PostgresServer {
    /// Starts a server with TLS and passwords, whose certificate is one of `localhost`.
    ///
    /// Its folder has `root.crt`, the authority of the certificate, and `other.crt`, another one. The role `app` has
    /// the password `correct horse`, and isn't let in at the port without TLS.
    public static func startWithTLS() async throws -> PostgresServer {
        let server = try await start(
            settings: [
                "ssl = on", "ssl_cert_file = '../server.crt'", "ssl_key_file = '../server.key'",
                "password_encryption = 'scram-sha-256'",
            ],
            access: ["hostssl all all 127.0.0.1/32 scram-sha-256"],
            prepare: certificates
        )
        try await server.execute("CREATE ROLE app LOGIN PASSWORD 'correct horse'")
        try await server.execute("CREATE DATABASE app OWNER app TEMPLATE template0 ENCODING 'UTF8'")
        return server
    }

    private static let certificates = """
        new="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        for name in root other; do
            $as openssl req -x509 $new -days 2 -subj "/CN=$name" -keyout $name.key -out $name.crt 2>>log
        done
        $as openssl req $new -subj /CN=localhost -keyout server.key -out server.csr 2>>log
        printf 'subjectAltName=DNS:localhost' >names
        $as openssl x509 -req -in server.csr -CA root.crt -CAkey root.key -set_serial 1 -days 2 -extfile names \
            -out server.crt 2>>log
        chmod 600 server.key
        """
}
