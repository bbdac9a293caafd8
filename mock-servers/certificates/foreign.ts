// For tests on loopback only: this key is no secret. README.md in mock-servers says how it was made.

/** A client by the same name, whose certificate was signed by somebody else. */
export const FOREIGN_CERT = `-----BEGIN CERTIFICATE-----
MIIBeTCCASCgAwIBAgIIHsGZ/WmYkBswCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwN
c29tZWJvZHkgZWxzZTAgFw0yNjEyMDEwNTExMjJaGA8yMTI2MTEwNzA1MTEyMlow
EzERMA8GA1UEAwwIYW4gYWdlbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ6
EqQzenjRx9o3i6G2+wwx+4uP72J3Ay1q5AueA1Y/3sa7pk9chWTN605n3eP5CodU
2upuX+w0L+iY8LzG8Ja3o1cwVTATBgNVHSUEDDAKBggrBgEFBQcDAjAdBgNVHQ4E
FgQUwEbJ0Oc+vni0DTDv9QgxL1Ky2rAwHwYDVR0jBBgwFoAUPFVlLh+09TPOX3nX
RHEtEuoZzREwCgYIKoZIzj0EAwIDRwAwRAIgMBB4w06rOr57kaDuMrGedIXs7ugx
jzJxDL8w8ziimWkCIG+Itx4pO6TFOLrigkLKXCIyrCFurySM1qW7zDbyiRSt
-----END CERTIFICATE-----
`

/** Its key. */
export const FOREIGN_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgltu3sKUQSuvpEx0r
DdgNroU8xcoIBe6iCSQ09aHKIQqhRANCAAQ6EqQzenjRx9o3i6G2+wwx+4uP72J3
Ay1q5AueA1Y/3sa7pk9chWTN605n3eP5CodU2upuX+w0L+iY8LzG8Ja3
-----END PRIVATE KEY-----
`
