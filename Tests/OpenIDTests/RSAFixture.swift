// Made once with the Python package cryptography, whose key is forgotten.

/// Tokens of a key of RSA, which nothing here can sign with.
enum RSAFixture {
    /// The modulus of the key; its exponent is 65,537.
    static let modulus =
        "v8Bbm_B28WOqN1wlmAU10YARdyxU3shvkgdZ8vGhWZk4vlrdnkBnkYsJUEpKNNdHH-VofoY4Ccpfc6ZebYLZ6JOd"
        + "4lB5fQC-enRGIb3KuqM5lZthUUNYseeUycVYHuq5ihdbFDc1D25Javf3jFjaBYnG90N7VGLwzgrGrhSmk7vXmp1v"
        + "-R49PM8ubN30l0prdvnUT1Mux_70GRB0ZTh04JyrVZdhHHc7H4xCqqk3apppXBTz37KYk2J4_uJh4bvl76U67YZv"
        + "4wyWEi5ESFzJpFe4K14fkkeoCEKTVAC0eu59SGiOtc-QZ3aU7IuIJS5fw4q_nQJ_SS8j95eM8WdZfQ"
    /// A token with a signature of RS256.
    static let token =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUuY29tIiwiYXVkIjo"
        + "id2F5bWFyayIsInN1YiI6IjI0ODI4OTc2MTAwMSIsIm5vbmNlIjoiR185NGxKSjBLaTJ4WF9rS1RBdkx4Z1FQX2J"
        + "oSFE3MFRLTGlObEVIMXhLayIsImlhdCI6MTc5NTc4MDAwMCwiZXhwIjoxNzk1NzgwNjAwfQ.GDklfiv4UoEud6WK"
        + "oXE73J91719OiLGBw2DMxtu8O4Jl_ai5YF4D-IcfB9phIp1OSvwc1I2Yh983YtrEAp8voaGUmcn5gZAX6CihLfA6"
        + "zcyeA-x4LxoMP8goDWzze1-PMPsU6jPqWuazsYErf5bCI_8At5ZPn6EaTEPsKa8I9SDJPVVzhTtOM6eu_gPQMmTP"
        + "YPJmz-RsFT4dQfYZEAEXP6uuENW8Mh9-OPyGe17B4qeCWyW-Uf4eB_LqG9ywOrrUD-fkZLRX7zetkge-79Td7ewD"
        + "UJMxKeK3PoFh2cFRxqiOHnfRWM341Al23iV2dr5t4ojBJIgGdmZL0vsJihdKlg"
    /// The same claims with an authentication code of HS256 in place of the signature, whose secret is the public key in PEM form.
    static let codedToken =
        "eyJhbGciOiJIUzI1NiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUuY29tIiwiYXVkIjo"
        + "id2F5bWFyayIsInN1YiI6IjI0ODI4OTc2MTAwMSIsIm5vbmNlIjoiR185NGxKSjBLaTJ4WF9rS1RBdkx4Z1FQX2J"
        + "oSFE3MFRLTGlObEVIMXhLayIsImlhdCI6MTc5NTc4MDAwMCwiZXhwIjoxNzk1NzgwNjAwfQ.dMCdAFhQS25b8FeA"
        + "FY5xLIBRAvBeflZpiEUNQHqPhDs"
}
