// OpenSSL 3's headers, and functions for what they offer as macros or with variable arguments.
#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

typedef int (*waymark_servername_callback)(SSL *, int *, void *);

static inline long waymark_SSL_CTX_set_protocols(SSL_CTX *context, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(context, lowest) == 1
        && SSL_CTX_set_max_proto_version(context, highest) == 1;
}
static inline long waymark_SSL_CTX_set_groups(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_groups_list(context, list);
}
static inline void waymark_SSL_CTX_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context,
        SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline uint64_t waymark_SSL_CTX_set_options(SSL_CTX *context) {
    return SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}
static inline long waymark_SSL_CTX_set_ticket_keys(SSL_CTX *context, void *keys, int length) {
    return SSL_CTX_set_tlsext_ticket_keys(context, keys, length);
}
static inline void waymark_SSL_CTX_set_servername(
    SSL_CTX *context, waymark_servername_callback callback, void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}
static inline long waymark_SSL_CTX_add_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
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
static inline void waymark_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void waymark_BIO_set_retry_write(BIO *bio) { BIO_set_retry_write(bio); }
static inline void waymark_BIO_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline long waymark_BIO_memory(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }
static inline EVP_PKEY *waymark_EVP_P256(void) { return EVP_EC_gen("P-256"); }
static inline X509_STORE_CTX *waymark_no_store(void) { return NULL; }
