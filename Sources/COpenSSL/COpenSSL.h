// OpenSSL 3's headers, and functions for what they offer as macros or with variable arguments.
#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ct.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

typedef int (*waymark_servername_callback)(SSL *, int *, void *);

static inline int waymark_SSL_CTX_set_protocols(SSL_CTX *context, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(context, lowest) == 1
        && SSL_CTX_set_max_proto_version(context, highest) == 1;
}
static inline long waymark_SSL_CTX_set_groups(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_groups_list(context, list);
}
static inline int waymark_SSL_CTX_set_modes(SSL_CTX *context) {
    // Not RELEASE_BUFFERS: the loops know better when a connection should give them back.
    // NO_AUTO_CHAIN: what is sent is what the certificate's file holds, not what a search of the
    // system's store would add in each handshake.
    long modes = SSL_MODE_ENABLE_PARTIAL_WRITE
        | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN;
    // A record's header and content are read in one step; what is received is in memory already.
    SSL_CTX_set_read_ahead(context, 1);
    return (SSL_CTX_set_mode(context, modes) & modes) == modes;
}
static inline int waymark_SSL_CTX_set_options(SSL_CTX *context) {
    uint64_t wanted = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION;
    SSL_CTX_clear_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE);
    return (SSL_CTX_set_options(context, wanted) & wanted) == wanted;
}
static inline void waymark_SSL_CTX_without_renegotiation(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}
// What is resumed is resumed by ticket.
static inline void waymark_SSL_CTX_without_session_cache(SSL_CTX *context, long seconds) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_timeout(context, seconds);
}
static inline int waymark_SSL_CTX_without_tickets(SSL_CTX *context) {
    return (SSL_CTX_set_options(context, SSL_OP_NO_TICKET) & SSL_OP_NO_TICKET) != 0
        && SSL_CTX_set_num_tickets(context, 0) == 1;
}

static inline void waymark_OPENSSL_free(void *memory) { OPENSSL_free(memory); }

typedef int (*waymark_ticket_callback)(
    SSL *, unsigned char *, unsigned char *, EVP_CIPHER_CTX *, EVP_MAC_CTX *, int);

static inline int waymark_SSL_CTX_set_ticket_keys(
    SSL_CTX *context, waymark_ticket_callback callback, void *keys) {
    return SSL_CTX_set_app_data(context, keys)
        && SSL_CTX_set_tlsext_ticket_key_evp_cb(context, callback);
}
static inline void *waymark_SSL_ticket_keys(const SSL *session) {
    return SSL_CTX_get_app_data(SSL_get_SSL_CTX(session));
}
static inline int waymark_EVP_MAC_use_HMAC_SHA256(
    EVP_MAC_CTX *mac, const unsigned char *key, size_t length) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key, length),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters);
}
static inline void waymark_SSL_CTX_set_servername(
    SSL_CTX *context, waymark_servername_callback callback, void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}
// Presents one certificate, in place of any other, whatever its kind of key.
static inline int waymark_SSL_use(
    SSL *session, X509 *leaf, EVP_PKEY *key, X509 *const *chain, int count) {
    STACK_OF(X509) *stack = count > 0 ? sk_X509_new_reserve(NULL, count) : NULL;
    if (count > 0 && !stack) return 0;
    for (int index = 0; index < count; index++) sk_X509_push(stack, chain[index]);
    SSL_certs_clear(session);
    int done = SSL_use_cert_and_key(session, leaf, key, stack, 1);
    sk_X509_free(stack);
    return done;
}
static inline int waymark_SSL_CTX_use(
    SSL_CTX *context, X509 *leaf, EVP_PKEY *key, X509 *const *chain, int count) {
    STACK_OF(X509) *stack = count > 0 ? sk_X509_new_reserve(NULL, count) : NULL;
    if (count > 0 && !stack) return 0;
    for (int index = 0; index < count; index++) sk_X509_push(stack, chain[index]);
    int done = SSL_CTX_use_cert_and_key(context, leaf, key, stack, 1);
    sk_X509_free(stack);
    return done;
}
// The key exchange group by its number in the registry of TLS; 0 for none.
static inline uint16_t waymark_SSL_group(SSL *session) {
    long group = SSL_get_negotiated_group(session);
    if (group & TLSEXT_nid_unknown) return group & 0xFFFF;
    switch (group) {
    case NID_X25519: return 29;
    case NID_X9_62_prime256v1: return 23;
    case NID_secp384r1: return 24;
    default: return 0;
    }
}
static inline uint16_t waymark_SSL_cipher(const SSL *session) {
    const SSL_CIPHER *cipher = SSL_get_current_cipher(session);
    return cipher ? SSL_CIPHER_get_protocol_id(cipher) : 0;
}
// Says why a handshake is refused, in front of what OpenSSL says of it.
enum { waymark_ERR_no_certificate = 99001 };
static inline void waymark_ERR_raise_no_certificate(void) {
    ERR_raise(ERR_LIB_USER, waymark_ERR_no_certificate);
}
// Empties this thread's queue of errors, and gives the reason of the first (SSL_R_…), 0 where
// there is none, or that memory was lacking, wherever that stands.
enum { waymark_ERR_memory = -1 };
static inline int waymark_ERR_drain(void) {
    unsigned long code = ERR_get_error();
    int reason = code ? ERR_GET_REASON(code) : 0;
    for (; code; code = ERR_get_error()) {
        if (ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE) reason = waymark_ERR_memory;
    }
    return reason;
}
// Reads keys of one type from PEM; each key that was read is put where `key` points.
static inline OSSL_DECODER_CTX *waymark_key_decoder(EVP_PKEY **key, const char *type) {
    return OSSL_DECODER_CTX_new_for_pkey(key, "PEM", NULL, type, EVP_PKEY_KEYPAIR, NULL, NULL);
}
static inline void waymark_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void waymark_BIO_set_retry_write(BIO *bio) { BIO_set_retry_write(bio); }
static inline void waymark_BIO_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline long waymark_BIO_memory(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }
static inline EVP_PKEY *waymark_EVP_P256(void) { return EVP_EC_gen("P-256"); }
static inline int waymark_BN_bytes(const BIGNUM *number) { return BN_num_bytes(number); }
static inline int waymark_EVP_is_P256(const EVP_PKEY *key) {
    char name[32];
    size_t count = 0;
    return EVP_PKEY_get_group_name(key, name, sizeof name, &count) == 1
        && OBJ_txt2nid(name) == NID_X9_62_prime256v1;
}
// Adds the extension acmeIdentifier (RFC 8737 §3), critical.
static inline int waymark_X509_add_challenge(
    X509 *certificate, const unsigned char *digest, int length) {
    ASN1_OBJECT *type = OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1);
    ASN1_OCTET_STRING *inner = ASN1_OCTET_STRING_new(), *outer = ASN1_OCTET_STRING_new();
    unsigned char *bytes = NULL;
    int count = inner && ASN1_OCTET_STRING_set(inner, digest, length)
        ? i2d_ASN1_OCTET_STRING(inner, &bytes) : -1;
    X509_EXTENSION *extension = type && outer && count > 0
        && ASN1_OCTET_STRING_set(outer, bytes, count)
        ? X509_EXTENSION_create_by_OBJ(NULL, type, 1, outer) : NULL;
    int done = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    OPENSSL_free(bytes);
    ASN1_OCTET_STRING_free(inner);
    ASN1_OCTET_STRING_free(outer);
    ASN1_OBJECT_free(type);
    return done;
}
// Adds the alternative names and the key, and signs.
static inline int waymark_X509_REQ_sign(X509_REQ *request, EVP_PKEY *key, const char *names) {
    X509_EXTENSION *name = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
    STACK_OF(X509_EXTENSION) *list = sk_X509_EXTENSION_new_null();
    int done = name && list && sk_X509_EXTENSION_push(list, name) > 0
        && X509_REQ_set_version(request, 0) == 1 && X509_REQ_set_pubkey(request, key) == 1
        && X509_REQ_add_extensions(request, list) == 1
        && X509_REQ_sign(request, key, EVP_sha256()) > 0;
    sk_X509_EXTENSION_free(list);
    X509_EXTENSION_free(name);
    return done;
}
static inline X509_STORE_CTX *waymark_no_store(void) { return NULL; }
// Names the server that a client wants (RFC 6066 §3).
static inline int waymark_SSL_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}
// One line, with UTF-8 as it is.
static const unsigned long waymark_XN_FLAG_ONELINE = XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB;
