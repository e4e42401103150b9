import WalletProtocol

/// The fixed parts of the OpenAPI description.
enum OpenAPIText {
  /// The header of a request for the update policy.
  static let nonceParameter = """
          parameters:
            - name: \(Route.nonceHeader)
              in: header
              description: "16 random bytes as base64url; the policy then contains them."
              schema:
                type: string
                pattern: '^[A-Za-z0-9_-]{21}[AQgw]$'

    """

  /// The id of a status list, and what the draft has for lists of the past.
  static let statusListParameters = """
          parameters:
            - name: list
              in: path
              required: true
              description: The id of the list; PIDs name the whole address.
              schema:
                type: string
                pattern: '^[A-Za-z0-9_-]+$'
            - name: time
              in: query
              description: The list of an earlier time is not offered; 501.
              schema:
                type: integer

    """

  /// Paths that are not an `Endpoint`: the demonstration pages, and the metrics on their own port.
  static let otherPaths = """
      /enrol:
        get:
          operationId: enrol
          summary: The form for an account; only with --enrol-page, for demonstrations
          tags: [pages]
          responses: &page
            '200':
              $ref: '#/components/responses/Page'
            '400':
              $ref: '#/components/responses/Problem400'
            '404':
              $ref: '#/components/responses/NoPage'
            '408':
              $ref: '#/components/responses/Problem408'
            '421':
              $ref: '#/components/responses/AnotherHost'
            '429':
              $ref: '#/components/responses/Problem429'
            '431':
              $ref: '#/components/responses/Problem431'
            '503':
              $ref: '#/components/responses/Problem503'
        post:
          operationId: enrol-form
          summary: Make an account; from the page itself only
          tags: [pages]
          requestBody:
            required: true
            description: At most 8192 bytes.
            content:
              application/x-www-form-urlencoded:
                schema:
                  $ref: '#/components/schemas/EnrolmentForm'
          responses: &form
            '303':
              $ref: '#/components/responses/SeePage'
            '400':
              $ref: '#/components/responses/FormRefused'
            '403':
              $ref: '#/components/responses/NotFromHere'
            '404':
              $ref: '#/components/responses/NoPage'
            '408':
              $ref: '#/components/responses/Problem408'
            '413':
              $ref: '#/components/responses/Problem413'
            '421':
              $ref: '#/components/responses/AnotherHost'
            '429':
              $ref: '#/components/responses/Problem429'
            '431':
              $ref: '#/components/responses/Problem431'
            '503':
              $ref: '#/components/responses/Problem503'
      /enrol/{page}:
        parameters:
          - name: page
            in: path
            required: true
            description: The secret of the page.
            schema:
              type: string
              minLength: 1
        get:
          operationId: enrol-page
          summary: How an account stands, and its code
          tags: [pages]
          responses: *page
        post:
          operationId: enrol-renew
          summary: Make a new code; from the page itself only
          tags: [pages]
          responses: *form
      /metrics:
        servers:
          - url: http://127.0.0.1:9740
            description: The port of --metrics-port; no other one has it.
        get:
          operationId: metrics
          summary: Metrics in the text format 0.0.4 of Prometheus
          tags: [operation]
          responses:
            '200':
              $ref: '#/components/responses/Metrics'

    """

  static let components = """
    components:
      headers:
        NotStored:
          required: true
          schema:
            const: no-store
        RetryAfter:
          description: Seconds until another try makes sense.
          required: true
          schema:
            type: integer
            minimum: 1
        EntityTag:
          description: The quoted base64url SHA-256 of the body.
          required: true
          schema:
            type: string
            pattern: '^"[A-Za-z0-9_-]{43}"$'
      requestBodies:
        Instruction:
          required: true
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/InstructionEnvelope'
      schemas:
        JWS:
          description: A compact JWS (RFC 7515).
          type: string
          pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$'
        Bytes:
          description: Base64url without padding (RFC 4648 section 5).
          type: string
          pattern: '^[A-Za-z0-9_-]*$'
        InstructionEnvelope:
          type: object
          required: [signature, payload]
          properties:
            signature:
              description: The claims of the instruction, signed with the hardware key; typ wallet-instruction+jwt.
              $ref: '#/components/schemas/JWS'
            payload:
              $ref: '#/components/schemas/Bytes'
        InstructionAnswer:
          type: object
          required: [result]
          additionalProperties: false
          properties:
            result:
              description: The outcome, bound to the request; typ wallet-instruction-result+jwt.
              $ref: '#/components/schemas/JWS'
        EnrolmentForm:
          type: object
          required: [family_name, given_name, birth_date, label]
          properties:
            family_name:
              type: string
            given_name:
              type: string
            birth_date:
              type: string
              format: date
            label:
              type: string
        IssuerMetadata:
          type: object
          required: [issuer, jwks]
          properties:
            issuer:
              type: string
            jwks:
              type: object
              required: [keys]
        TypeMetadata:
          type: object
          required: [vct]
          properties:
            vct:
              type: string
        Description:
          type: object
          required: [openapi, info, paths, components]
        Health:
          type: object
          required: [status]
          additionalProperties: false
          properties:
            status:
              enum: [live, ready]

    """

  static let retryAfter = """
            Retry-After:
              $ref: '#/components/headers/RetryAfter'

    """

  /// The responses that are not problems.
  static let responses =
    json("InstructionAnswer", "The signed outcome.")
    + json("Health", "The process runs, or is ready.")
    + signed("Configuration", "The configuration; typ wallet-configuration+jwt.", tag: true)
    + signed("UpdatePolicy", "The rules; typ wallet-update-policy+jwt.", tag: false)
    + response(
      "StatusList", "The list; typ statuslist+jwt. Cache-Control says until when it is the latest.",
      headers: entityTag, type: "application/statuslist+jwt", schema: "JWS")
    + tagged("IssuerMetadata", "The issuer and its keys.", "application/json", "IssuerMetadata")
    + tagged("TypeMetadata", "The type and its claims.", "application/json", "TypeMetadata")
    + tagged("Certificates", "PEM.", "application/pem-certificate-chain", nil)
    + text("Page", "A page; with --demonstration it says so.", "text/html")
    + response(
      "Description", "OpenAPI 3.1.", headers: "", type: "application/yaml", schema: "Description")
    + text("Metrics", "The metrics.", "text/plain")
    + text("AnotherHost", "The request names a host that the server is not known by.", "text/html")
    + text("NotFromHere", "The form came from elsewhere.", "text/html")
      + """
          NotModified:
            description: The content is the one that If-None-Match names.
            headers:
              ETag:
                $ref: '#/components/headers/EntityTag'
          SeePage:
            description: Done; continue at Location.
            headers:
              Location:
                required: true
                schema:
                  type: string
          FormRefused:
            description: The form, with what is wrong; or a problem for what is no form.
            content:
              text/html:
                schema:
                  type: string
              application/problem+json:
                schema:
                  $ref: '#/components/schemas/Problem'
          NoPage:
            description: There is no such page; a problem where there are no pages at all.
            content:
              text/html:
                schema:
                  type: string
              application/problem+json:
                schema:
                  $ref: '#/components/schemas/Problem'

      """

  private static func json(_ name: String, _ description: String) -> String {
    response(name, description, headers: notStored, type: "application/json", schema: name)
  }

  private static func signed(_ name: String, _ description: String, tag: Bool) -> String {
    response(
      name, description, headers: tag ? entityTag : notStored, type: "application/jwt",
      schema: "JWS")
  }

  private static func tagged(
    _ name: String, _ description: String, _ type: String, _ schema: String?
  ) -> String {
    response(name, description, headers: entityTag, type: type, schema: schema)
  }

  private static let entityTag = """
            ETag:
              $ref: '#/components/headers/EntityTag'

    """

  private static func text(_ name: String, _ description: String, _ type: String) -> String {
    response(name, description, headers: "", type: type, schema: nil)
  }

  private static let notStored = """
            Cache-Control:
              $ref: '#/components/headers/NotStored'

    """

  /// The response in two forms: with content for GET and POST, and without content for HEAD.
  private static func response(
    _ name: String, _ description: String, headers: String, type: String, schema: String?
  ) -> String {
    let reference = schema.map { "$ref: '#/components/schemas/\($0)'" } ?? "type: string"
    let headers = headers.isEmpty ? "" : "      headers:\n" + headers
    return """
          \(name)Head:
            description: \(description)
      \(headers)\
          \(name):
            description: \(description)
      \(headers)\
            content:
              \(type):
                schema:
                  \(reference)

      """
  }
}
